/** Title and advice for each error type. */
const errorTexts = {
  invalid_token: ["This link is not valid", "Please request a new link where you got this one."],
  token_expired: [
    "This link has expired",
    "A link is valid for one hour. Please request a new link where you got this one.",
  ],
  token_consumed: [
    "This link was already used",
    "Each link connects one source. To connect another source, please request a new link where you got this one.",
  ],
  token_not_validated: [
    "This sign-in cannot be finished here",
    "It took too long, was already finished, or was started in another browser. Please start again in this browser.",
  ],
  provider_credential_error: ["The sign-in failed", "Check your {provider} sign-in details and try again."],
  provider_password_expired: ["Your password has expired", "Set a new password at {provider}, then try again here."],
  provider_api_error: [
    "{provider} did not answer as expected",
    "Nothing was connected. Please try again in a few minutes.",
  ],
  unsupported_region: ["{provider} has no accounts in this region", "Choose the region of your account and try again."],
  duplicate_connection: [
    "This account is already connected",
    "Another user of {team} has connected it. Use your own account, or ask {team} for help.",
  ],
  required_scopes_not_granted: [
    "Some permissions are missing",
    "{team} needs all requested permissions. Please try again and allow all of them.",
  ],
  incorrect_mfa_code: ["The code is not correct", "Use the code in the newest message from {provider} and try again."],
  user_cancelled: ["Nothing was connected", "You did not allow access. You can try again or close this window."],
  INVALID_PROVIDER: ["This source cannot be connected here", "Please choose another source, or contact {team}."],
  not_possible: ["{provider} cannot be connected here yet", "Please choose another source, or contact {team}."],
  invalid_input: ["Some details are not valid", "Please check your input."],
  nothing_to_connect: ["No sources are available yet", "Please contact {team}."],
  unreachable: ["The service cannot be reached", "Check your internet connection and try again."],
};

/** Error types after which the same link cannot succeed any more. */
export const finalErrors = ["invalid_token", "token_expired", "token_consumed", "nothing_to_connect"];

/** Error types that only this page shows. All others are also reported to the team's redirect URL. */
const pageErrors = ["INVALID_PROVIDER", "not_possible", "invalid_input", "nothing_to_connect", "unreachable"];
export const isReportedToTeam = (type) => !pageErrors.includes(type);

/** Title and text of an error type, with names filled in. An unknown type gets the text of `provider_api_error`. */
export function describeError(type, names) {
  const [title, text] = Object.hasOwn(errorTexts, type) ? errorTexts[type] : errorTexts.provider_api_error;
  const named = (sentence) => {
    const filled = sentence.replaceAll(/\{(\w+)\}/g, (_, name) => names[name]);
    return filled[0].toUpperCase() + filled.slice(1);
  };
  return { title: named(title), text: named(text) };
}

/** Where a provider sent a code. */
export function describeRecipient({ method, hint }) {
  const means = { email: "by email to", sms: "by text message to" }[method] ?? "to";
  return `${means} ${hint}`;
}
