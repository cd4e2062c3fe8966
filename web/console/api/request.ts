import { readServiceClock } from "./service-clock.ts";

/** An answer other than 2xx, with the code and the request id that operators search for. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;

  constructor(message: string, { status = 0, code = "unreachable", requestId }: Partial<Problem> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** Name of the event that the window receives when the service no longer knows the session. */
export const SESSION_ENDED = "console-session-ended";

interface RequestOptions {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The one error body of the service. */
interface ErrorBody {
  readonly detail?: unknown;
  readonly code?: string;
  readonly request_id?: string;
}

/**
 * Sends a request with the session's cookie. The custom header proves that no other site sent it.
 * @throws Problem for any answer other than 2xx, and if the service cannot be reached.
 */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const response = await send(path, options);
  if (response.status === 204) return undefined as Answer;
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer as Answer;
  const { detail, code = "unknown", request_id } = answer as ErrorBody;
  const isSession = path.startsWith("/console/session") || path.startsWith("/console/sign-in");
  if (response.status === 401 && !isSession && !options.headers) dispatchEvent(new Event(SESSION_ENDED));
  const words = wordsOf(detail) ?? `The service answered ${response.status}.`;
  throw new Problem(words, { status: response.status, code, ...(request_id ? { requestId: request_id } : {}) });
}

/** Retrieves a file, such as a PDF. @throws Problem for any answer other than 2xx. */
export async function requestFile(path: string, headers: RequestOptions["headers"] = {}): Promise<Blob> {
  const response = await send(path, { headers });
  if (response.ok) return response.blob();
  throw new Problem(`The service answered ${response.status}.`, { status: response.status, code: "no_file" });
}

/** Why the person looks at users, by user id. It lives in the memory of this page. */
const reasons = new Map<string, string>();

/** Whether the person has said why they look at a user. */
export const hasReason = (userId: string) => reasons.has(userId);

/** Keeps why the person looks at a user, for each request that names the user. */
export const setReason = (userId: string, reason: string) => reasons.set(userId, reason);

function reasonFor(path: string): Readonly<Record<string, string>> {
  for (const [userId, reason] of reasons) if (path.includes(userId)) return { "x-console-reason": reason };
  return {};
}

/** How many times a request waits for the limit of the team. */
const MAX_WAITS = 3;

/** After a longer wait the person decides. */
const MAX_WAIT_S = 2;

/** Sends a request, and again after a 429: the service refuses those before it does anything. */
async function send(path: string, options: RequestOptions, waits = MAX_WAITS): Promise<Response> {
  const response = await sendOnce(path, options);
  const seconds = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
  if (response.status !== 429 || waits === 0 || !(seconds <= MAX_WAIT_S)) return response;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return send(path, options, waits - 1);
}

async function sendOnce(path: string, { method = "GET", body, signal, headers }: RequestOptions): Promise<Response> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const all = { "x-console-request": "1", ...reasonFor(path), ...type, ...headers };
  try {
    const response = await fetch(path, { method, headers: all, ...content, ...(signal ? { signal } : {}) });
    readServiceClock(response);
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem("The service cannot be reached. Check the connection, then try again.");
  }
}

function wordsOf(detail: unknown): string | undefined {
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail)) return detail.map(({ msg }: { msg?: string }) => msg ?? "").join("; ");
  return undefined;
}

/** Composes a query string. Undefined and empty values are left out. */
export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? "" : `?${query}`;
}
