import { wordsOf } from "./problem-words.ts";
import { readServiceClock } from "./service-clock.ts";
import { createSessionStore, presentSession } from "./session-memory.ts";

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

/** Called when the service no longer knows the session of this page, with the words that say why. */
let sessionEnded: (words: string) => void = () => undefined;

/** Sets what happens when the service no longer knows the session of this page. */
export function onSessionEnd(then: (words: string) => void): void {
  sessionEnded = then;
}

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
 * Sends a request with the session's cookie. One header proves that no other site sent it, and one names the session that
 * the page shows: the service refuses the request if a sign-in in another tab has replaced it.
 * @throws Problem for any answer other than 2xx, and if the service cannot be reached.
 */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const owner = presentSession();
  const response = await send(path, toInit(path, options));
  if (response.status === 204) return undefined as Answer;
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer as Answer;
  const { detail, code = "unknown", request_id } = answer as ErrorBody;
  const words = wordsOf(detail) ?? `The service answered ${response.status}.`;
  const isSession = /^\/console\/(session|session\/renewal|sign-in.*)$/.test(path);
  const isOwn = owner !== null && owner === presentSession();
  if (response.status === 401 && isOwn && !isSession && !options.headers) sessionEnded(words);
  throw new Problem(words, { status: response.status, code, ...(request_id ? { requestId: request_id } : {}) });
}

/** Retrieves a file, such as a PDF. @throws Problem for any answer other than 2xx. */
export async function requestFile(path: string, headers: RequestOptions["headers"] = {}): Promise<Blob> {
  const response = await send(path, toInit(path, { headers }));
  if (response.ok) return response.blob();
  throw new Problem(`The service answered ${response.status}.`, { status: response.status, code: "no_file" });
}

/** Why the person looks at users, by user id. */
export const reasons = createSessionStore<ReadonlyMap<string, string>>(() => new Map());

/** Keeps why the person looks at a user, for each request that names the user. */
export const setReason = (userId: string, reason: string) => reasons.set(new Map(reasons.get()).set(userId, reason));

/** Composes a request. It names the session of the page, and the reason for the user whom it names. */
function toInit(path: string, { method = "GET", body, signal, headers }: RequestOptions): RequestInit {
  const text = body === undefined ? "" : JSON.stringify(body);
  const owner = presentSession();
  const named = [...reasons.get()].find(([userId]) => path.includes(userId) || text.includes(userId));
  const all: Record<string, string> = {
    "x-console-request": "1",
    ...(owner === null ? {} : { "x-console-session": owner }),
    ...(named ? { "x-console-reason": named[1] } : {}),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  };
  return { method, headers: all, ...(body === undefined ? {} : { body: text }), ...(signal ? { signal } : {}) };
}

/** How many times a request waits for the limit of the team. */
const MAX_WAITS = 3;

/** After a longer wait the person decides. */
const MAX_WAIT_S = 2;

/** Sends a request, and again after a 429: the service refuses those before it does anything. */
async function send(path: string, init: RequestInit, waits = MAX_WAITS): Promise<Response> {
  const response = await sendOnce(path, init);
  const seconds = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
  if (response.status !== 429 || waits === 0 || !(seconds <= MAX_WAIT_S)) return response;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return send(path, init, waits - 1);
}

async function sendOnce(path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(path, init);
    readServiceClock(response);
    return response;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Problem("The service cannot be reached. Check the connection, then try again.");
  }
}

/** Composes a query string. Undefined and empty values are left out. */
export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? "" : `?${query}`;
}
