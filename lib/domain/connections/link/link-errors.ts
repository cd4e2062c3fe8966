/** Error types of the link flow, in redirects and responses. */
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

/** `error_type` of a refused request of the link flow. */
export type RefusedLinkType = LinkErrorType | "INVALID_PROVIDER";

/** A link failed. The message is for users and repeats no input. */
export class LinkFailed extends Error {
  override readonly name = "LinkFailed";
  readonly type: LinkErrorType;

  constructor(type: LinkErrorType, message: string, options?: ErrorOptions) {
    super(message, options);
    this.type = type;
  }
}

/** Final redirect URL of a link: the team's URL with the outcome in its query. Replaces equal query parameters. */
export function withLinkOutcome(redirectUrl: string, outcome: LinkFailed | "success"): string {
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
