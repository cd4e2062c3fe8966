import type { ErrorHelp } from "../../../contract/error-help.ts";
import type { RefusedLinkType } from "./link-errors.ts";

/** Why connections of accounts fail, and what helps. docs/errors.md shows it. */
export const linkErrorHelp: Readonly<Record<RefusedLinkType, ErrorHelp>> = {
  invalid_token: {
    cause: "The link token is unknown, or its user no longer exists.",
    remedy: "Create a new link token for an existing user.",
  },
  token_expired: {
    cause: "The link token has expired.",
    remedy: "Create a new link token.",
  },
  token_not_validated: {
    cause: "The attempt to connect is unknown or over, or another browser began it.",
    remedy: "Open the link again, and finish in the same browser.",
  },
  token_consumed: {
    cause: "The link token was already used for a connection.",
    remedy: "Create a new link token for another connection.",
  },
  provider_credential_error: {
    cause: "The provider did not accept the credentials or the authorization.",
    remedy: "Ask the user to check name and password, and to try again.",
  },
  provider_password_expired: {
    cause: "The password at the provider has expired.",
    remedy: "Ask the user to change it at the provider, and to try again.",
  },
  provider_api_error: {
    cause: "The provider refused access or sent an unexpected response.",
    remedy: "Try again later. If it fails again, check the application of the team at the provider.",
  },
  unsupported_region: {
    cause: "The provider does not serve the region of the account.",
    remedy: "Choose another region.",
  },
  duplicate_connection: {
    cause: "Another user of the team is connected to this account.",
    remedy: "Disconnect the other user first, or connect another account.",
  },
  required_scopes_not_granted: {
    cause: "The user did not grant access to all required data.",
    remedy: "Ask the user to connect again and to allow all of it.",
  },
  incorrect_mfa_code: {
    cause: "The code of the second factor is wrong or too old.",
    remedy: "Ask the user for a current code.",
  },
  user_cancelled: {
    cause: "The user did not grant access.",
    remedy: "Open the link again if the user changes their mind.",
  },
  INVALID_PROVIDER: {
    cause: "The link does not allow this provider, or the provider is not connected in this way.",
    remedy: "Use a provider that the link allows, with the route for its kind of authentication.",
  },
};
