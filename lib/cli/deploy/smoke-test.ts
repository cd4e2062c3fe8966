import { randomUUID } from "node:crypto";

/** Options of the smoke test. */
export interface SmokeOptions {
  /** URL of the main API, without trailing slash. */
  readonly baseUrl: string;
  /** An API key of a team, preferably with few events. */
  readonly key: string;
  /** Called after each step. */
  readonly report: (step: string) => void;
  /** Waits before the next poll. */
  readonly pause: () => Promise<unknown>;
  /** Maximum number of polls. */
  readonly maxAttempts: number;
}

/** A failed step. The message states the failure in one line for a person. */
export class SmokeFailed extends Error {
  override readonly name = "SmokeFailed";
}

/**
 * Runs the life of one sample against a service: creates a user, sends a sample, waits until it is stored, reads it,
 * finds its event in the feed, and deletes the user. The user is also deleted after a failure.
 * @throws SmokeFailed with the failed step and the response.
 */
export async function runSmokeTest(options: SmokeOptions): Promise<void> {
  const { report } = options;
  const userId = await createUser(options);
  report(`created user ${userId}`);
  const deleteUser = async () => {
    await call(options, "DELETE", `/v2/user/${userId}`);
    report("deleted the user, whose data is erased after the grace period");
  };
  try {
    const before = await lastSequence(options);
    const day = new Date().toISOString().slice(0, 10);
    const receiptId = await sendSample(options, userId, `${day}T00:00:01Z`);
    report(`sent a sample with receipt ${receiptId}`);
    await waitUntilStored(options, userId, receiptId);
    report("the sample is stored");
    await readBack(options, userId, day);
    report("read the sample back");
    const { event_type, sequence } = await waitForEvent(options, userId, before);
    report(`found the event ${event_type} with sequence ${sequence} in the feed`);
  } catch (error) {
    // The first failure is thrown, even when the deletion fails too.
    await deleteUser().catch(() => report(`the user ${userId} could not be deleted`));
    throw error;
  }
  await deleteUser();
}

type Answer = Readonly<Record<string, unknown>>;

/** @throws SmokeFailed unless the response is 2xx JSON. */
async function call({ baseUrl, key }: SmokeOptions, method: string, path: string, body?: unknown): Promise<Answer> {
  const failed = (what: string, cause?: unknown) => new SmokeFailed(`${method} ${path}: ${what}`, { cause });
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { "content-type": "application/json", "x-service-api-key": key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw failed("no response", error);
  });
  const text = await response.text();
  if (!response.ok) throw failed(`${response.status} ${text.slice(0, 300)}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw failed("the response is not JSON", error);
  }
}

async function createUser(options: SmokeOptions): Promise<string> {
  const { user_id } = await call(options, "POST", "/v2/user", { client_user_id: `smoke-${randomUUID()}` });
  return String(user_id);
}

async function sendSample(options: SmokeOptions, userId: string, timestamp: string): Promise<string> {
  const resources = { heartrate: [{ timestamp, value: 61 }] };
  const batch = { provider: "apple_health_kit", source_type: "watch", resources };
  const receipt = await call(options, "POST", `/v2/ingest/${userId}`, batch);
  if (receipt.accepted !== 1) throw new SmokeFailed(`the sample was rejected: ${JSON.stringify(receipt.rejected)}`);
  return String(receipt.receipt_id);
}

/** Polls until `ask` returns a value. @throws SmokeFailed when all polls return undefined. */
async function poll<T>(options: SmokeOptions, what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (let asked = 0; asked < options.maxAttempts; asked++) {
    if (asked > 0) await options.pause();
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new SmokeFailed(`${what} after ${options.maxAttempts} polls`);
}

const waitUntilStored = (options: SmokeOptions, userId: string, receiptId: string) =>
  poll(options, "the sample is not stored", async () => {
    const { status, stored } = await call(options, "GET", `/v2/ingest/${userId}/${receiptId}`);
    return status === "done" && stored === 1 ? true : undefined;
  });

async function readBack(options: SmokeOptions, userId: string, day: string): Promise<void> {
  const path = `/v2/timeseries/${userId}/heartrate/grouped?start_date=${day}&end_date=${day}`;
  const { groups } = await call(options, "GET", path);
  const all = Object.values((groups ?? {}) as Record<string, { data: { value: number }[] }[]>).flat();
  const values = all.flatMap(({ data }) => data.map(({ value }) => value));
  if (values.length !== 1 || values[0] !== 61)
    throw new SmokeFailed(`the values are ${JSON.stringify(values)} instead of [61]`);
}

interface FeedEvent {
  readonly sequence: number;
  readonly body: { readonly event_type: string; readonly user_id?: string } | null;
}

async function readFeedPage(
  options: SmokeOptions,
  after: number,
): Promise<{ events: readonly FeedEvent[]; next: number }> {
  const answer = await call(options, "GET", `/v2/events?after=${after}&limit=500`);
  return { events: answer.events as readonly FeedEvent[], next: Number(answer.next) };
}

/** The sequence of the team's last event. */
async function lastSequence(options: SmokeOptions): Promise<number> {
  for (let after = 0; ; ) {
    const { events, next } = await readFeedPage(options, after);
    if (events.length === 0) return after;
    after = next;
  }
}

function waitForEvent(options: SmokeOptions, userId: string, after: number) {
  let from = after;
  return poll(options, "the feed has no event of the sample", async () => {
    const { events, next } = await readFeedPage(options, from);
    from = next;
    const found = events.find(({ body }) => body?.user_id === userId && body.event_type.includes(".heartrate."));
    return found?.body ? { event_type: found.body.event_type, sequence: found.sequence } : undefined;
  });
}
