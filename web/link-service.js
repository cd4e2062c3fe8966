/** Why something did not come about, by the type of the interface or one of this page's own. */
export class Failure extends Error {
  constructor(type) {
    super(type);
    this.type = type;
  }
}

/** The token stays in the tab, so that a reload and the way back from a provider find it, and leaves the address. */
function takeToken() {
  const given = new URL(location.href).searchParams.get("token");
  if (given === null) return sessionStorage.getItem("token") ?? "";
  sessionStorage.clear();
  sessionStorage.setItem("token", given);
  history.replaceState(null, "", location.pathname);
  return given;
}
const token = takeToken();

/** Whether there is a token that may still be good. */
export const hasToken = () => sessionStorage.getItem("token") !== null;

/** No answer takes longer than the gateway waits for one. */
const PATIENCE_MS = 35_000;

/** Asks the service with the token, in a header that no other site can have a browser send. @throws Failure */
export async function ask(method, path, body) {
  const headers = { "x-service-link-token": token, ...(body ? { "content-type": "application/json" } : {}) };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const init = { method, headers, signal, ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await fetch(path, init).catch(() => undefined);
  const answer = await response?.json().catch(() => undefined);
  if (!answer || response.status >= 500 || response.status === 429) throw new Failure("unreachable");
  if (response.ok) return answer;
  if (response.status === 422) throw new Failure("invalid_input");
  throw new Failure(answer.detail?.error_type ?? (response.status === 404 ? "invalid_token" : "not_possible"));
}
