/** What the types of errors mean to whoever links a provider: a title, and what can be done. */
const words = {
  invalid_token: ["This link is not valid", "Please ask for a new one where you got it."],
  token_expired: ["This link has expired", "A link is good for an hour. Please ask for a new one where you got it."],
  token_consumed: [
    "This link was already used",
    "Each link connects one source. To connect another, please ask for a new link where you got this one.",
  ],
  token_not_validated: [
    "This sign-in cannot be finished here",
    "It took too long, was finished already, or was begun in another browser. Please start again in this one.",
  ],
  provider_credential_error: ["The sign-in was not accepted", "Check your details for {provider}, and try again."],
  provider_password_expired: [
    "Your password has expired",
    "{provider} wants you to choose a new one. Do so there, then try again here.",
  ],
  provider_api_error: [
    "{provider} did not answer as expected",
    "Nothing was connected. Please try again in a few minutes.",
  ],
  unsupported_region: [
    "{provider} has no accounts in this region",
    "Choose the region in which your account was made, and try again.",
  ],
  duplicate_connection: [
    "This account is already connected",
    "It belongs to somebody else at {team}. Use an account of your own, or ask {team} for help.",
  ],
  required_scopes_not_granted: [
    "Some permissions are missing",
    "{team} needs everything it asks for. Please try again and leave all of it allowed.",
  ],
  incorrect_mfa_code: ["This is not the right code", "Look for the newest message from {provider}, and try again."],
  user_cancelled: ["Nothing was connected", "You did not give access. You can try again, or close this window."],
  INVALID_PROVIDER: ["This cannot be connected here", "Please choose another source, or tell {team} about it."],
  not_possible: ["{provider} cannot be connected here yet", "Please choose another source, or tell {team} about it."],
  invalid_input: ["Something is not right yet", "Please check what you have typed."],
  nothing_to_connect: ["There is nothing to connect here yet", "Please tell {team} about it."],
  unreachable: ["The service cannot be reached", "Check your internet connection, and try again."],
};

/** Those after which no further try with the same link can succeed. */
export const lasting = ["invalid_token", "token_expired", "token_consumed", "nothing_to_connect"];

/** Those between this page and its reader; all others are told to the team's own page, too. */
const own = ["INVALID_PROVIDER", "not_possible", "invalid_input", "nothing_to_connect", "unreachable"];
export const isTold = (type) => !own.includes(type);

/** The words for a type, with the names in their places; an unknown one has the words of a provider that fails. */
export function wordsFor(type, names) {
  const [title, text] = Object.hasOwn(words, type) ? words[type] : words.provider_api_error;
  const named = (sentence) => {
    const filled = sentence.replaceAll(/\{(\w+)\}/g, (_, name) => names[name]);
    return filled[0].toUpperCase() + filled.slice(1);
  };
  return { title: named(title), text: named(text) };
}
