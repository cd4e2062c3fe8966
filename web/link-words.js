/** What the types of errors mean to whoever links a provider: a title, and what can be done. */
const words = {
  invalid_token: ["This link is not valid", "Please ask where you got it from for a new one."],
  token_expired: ["This link is over", "A link is good for an hour. Please ask where you got it from for a new one."],
  token_consumed: [
    "This link was used already",
    "Each link connects one source. For another one, please ask where you got it from for a new link.",
  ],
  token_not_validated: [
    "The sign-in took too long",
    "It was not finished in time, or was begun in another window. Please start again.",
  ],
  provider_credential_error: [
    "The sign-in was not accepted",
    "Check what you sign in to {provider} with, and try again.",
  ],
  provider_password_expired: [
    "Your password is too old",
    "{provider} wants you to choose a new one. Do so there, then try again here.",
  ],
  provider_api_error: [
    "{provider} did not answer as it should",
    "Nothing was connected. Please try again in a few minutes.",
  ],
  unsupported_region: [
    "{provider} has no accounts in this region",
    "Choose the region in which your account was made, and try again.",
  ],
  duplicate_connection: [
    "This account is connected already",
    "It belongs to another person at {team}. Use an account of your own, or ask {team} for help.",
  ],
  required_scopes_not_granted: [
    "Some permissions are missing",
    "{team} needs all that it asks for. Please try again and leave everything allowed.",
  ],
  incorrect_mfa_code: ["This is not the right code", "Look for the newest message from {provider}, and try again."],
  user_cancelled: ["Nothing was connected", "You did not allow it. You can try again, or close this window."],
  INVALID_PROVIDER: ["This can not be connected here", "Please choose another source."],
  not_possible: ["{provider} can not be connected here yet", "Please choose another source."],
  invalid_input: ["Something is not right yet", "Please check what you have typed."],
  nothing_to_connect: ["There is nothing to connect here yet", "Please tell {team} about it."],
  unreachable: ["The service can not be reached", "Check your connection to the internet, and try again."],
};

/** Those after which no further try with the same link can succeed. */
export const lasting = ["invalid_token", "token_expired", "token_consumed", "nothing_to_connect"];

/** Those between this page and its reader; all others are told to the team's own page, too. */
const own = ["INVALID_PROVIDER", "not_possible", "invalid_input", "nothing_to_connect", "unreachable"];
export const isTold = (type) => Object.hasOwn(words, type) && !own.includes(type);

/** The words for a type, with the names in their places; an unknown one has the words of a provider that fails. */
export function wordsFor(type, names) {
  const [title, text] = Object.hasOwn(words, type) ? words[type] : words.provider_api_error;
  const named = (sentence) => {
    const filled = sentence.replaceAll(/\{(\w+)\}/g, (_, name) => names[name]);
    return filled[0].toUpperCase() + filled.slice(1);
  };
  return { title: named(title), text: named(text) };
}
