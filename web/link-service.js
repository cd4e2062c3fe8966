/** A failed request. `type` is an error type of the API or of this page. */
export class Failure extends Error {
  constructor(type) {
    super(type);
    this.type = type;
  }
}

/** Moves the token from the URL to the session storage of the tab, for reloads and the return from a provider. */
function readToken() {
  const given = new URL(location.href).searchParams.get("token");
  if (given === null) return sessionStorage.getItem("token") ?? "";
  sessionStorage.clear();
  sessionStorage.setItem("token", given);
  history.replaceState(null, "", location.pathname);
  return given;
}
const token = readToken();

/** Whether the tab has a token. */
export const hasToken = () => sessionStorage.getItem("token") !== null;

/** Request timeout, longer than the timeout of the gateway. */
const REQUEST_TIMEOUT_MS = 35_000;

/** Sends a request with the token in a header, which other sites cannot set (CSRF). @throws Failure */
export async function request(method, path, body) {
  const headers = { "x-service-link-token": token, ...(body ? { "content-type": "application/json" } : {}) };
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const init = { method, headers, signal, ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await fetch(path, init).catch(() => undefined);
  const answer = await response?.json().catch(() => undefined);
  if (!answer || response.status >= 500 || response.status === 429) throw new Failure("unreachable");
  if (response.ok) return answer;
  if (response.status === 422) throw new Failure("invalid_input");
  throw new Failure(answer.detail?.error_type ?? (response.status === 404 ? "invalid_token" : "not_possible"));
}

/** Digest of the words that the page shows for the selected provider; undefined if it shows none. */
let notice_sha256;

/** Loads the words of a connection. */
export const loadNotice = ({ slug }) => request("GET", `notice/${slug}`);

/** Sets the notice that the page shows. From then on, requests that connect name its words. */
export function setNotice(notice) {
  notice_sha256 = notice?.sha256;
}

/** Returns the address at which the user authorizes the connection. */
export async function beginOAuth({ slug }) {
  const query = notice_sha256 === undefined ? "" : `?notice_sha256=${notice_sha256}`;
  return (await request("GET", `provider/oauth/${slug}${query}`)).oauth_url;
}

/** Sends a login form. */
export const logIn = ({ auth_type, slug }, given) =>
  request("POST", `provider/${auth_type}/${slug}`, { ...given, notice_sha256 });

/** Sends the code of a login. */
export const confirmCode = ({ slug }, code) =>
  request("POST", `provider/password/${slug}/complete_mfa`, { mfa_code: code.trim(), notice_sha256 });
