/** What replaces a secret. */
export const REDACTED = "redacted";

/** Members of JSON that hold secrets. Cursors of pages have other names. */
const SECRET_MEMBERS = [
  "access_token",
  "accessToken",
  "refresh_token",
  "refreshToken",
  "id_token",
  "token",
  "userAccessToken",
  "webhook_token",
  "client_secret",
].join("|");
/** Parameters of addresses and forms that hold secrets. `sc` and `sv` are those of iHealth. */
const SECRET_PARAMETERS = `${SECRET_MEMBERS}|client_id|key|signature|sc|sv`;

const member = new RegExp(`("(?:${SECRET_MEMBERS})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, "g");
const parameter = new RegExp(`([?&](?:${SECRET_PARAMETERS})=)[^&#\\s"\\\\]*`, "g");
const firstParameter = new RegExp(`^((?:${SECRET_PARAMETERS})=)[^&]*`);

/** Replaces the access token of a request wherever it occurs, and the values of members and parameters of secrets. */
export function redactSecrets(text: string, token?: string): string {
  const known = token ? text.replaceAll(token, REDACTED).replaceAll(encodeURIComponent(token), REDACTED) : text;
  return known
    .replace(member, `$1"${REDACTED}"`)
    .replace(parameter, `$1${REDACTED}`)
    .replace(firstParameter, `$1${REDACTED}`);
}
