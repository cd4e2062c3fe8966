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
