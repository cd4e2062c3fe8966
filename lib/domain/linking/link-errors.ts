/** Why a link did not come about, as redirects and answers of the link flow say it (wire reference, 4). */
export const linkErrorTypes = [
  "invalid_token",
  "token_expired",
  "token_not_validated",
  "token_consumed",
  "provider_credential_error",
  "provider_password_expired",
  "provider_api_error",
  "unsupported_region",
  "duplicate_connection",
  "required_scopes_not_granted",
  "incorrect_mfa_code",
  "user_cancelled",
] as const;
export type LinkErrorType = (typeof linkErrorTypes)[number];

/** A link that did not come about; the message is for people and names nothing that was given. */
export class LinkFailed extends Error {
  override readonly name = "LinkFailed";
  readonly type: LinkErrorType;

  constructor(type: LinkErrorType, message: string, options?: ErrorOptions) {
    super(message, options);
    this.type = type;
  }
}

/** Where a user is sent who has finished: the team's address with the outcome in its query, whatever it had there. */
export function outcomeUrl(redirectUrl: string, outcome: LinkFailed | "success"): string {
  const url = new URL(redirectUrl);
  for (const name of ["state", "error_type", "error"]) url.searchParams.delete(name);
  if (outcome === "success") url.searchParams.set("state", "success");
  else {
    url.searchParams.set("state", "error");
    url.searchParams.set("error_type", outcome.type);
    url.searchParams.set("error", outcome.message);
  }
  return url.href;
}
