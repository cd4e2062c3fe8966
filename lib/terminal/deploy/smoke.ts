import { randomUUID } from "node:crypto";

/** What a smoke test needs of its surroundings. */
export interface SmokeOptions {
  /** Address of the main API, without a slash at the end. */
  readonly baseUrl: string;
  /** An API key of a team, best one with few events. */
  readonly key: string;
  /** Told of each step as it is done. */
  readonly report: (step: string) => void;
  /** Waits before the service is asked once more. */
  readonly pause: () => Promise<unknown>;
  /** How often it is asked at most. */
  readonly tries: number;
}

/** A step that did not go as it should, in one line for a person. */
export class SmokeFailed extends Error {
  override readonly name = "SmokeFailed";
}

/**
 * Plays the story of one sample against a service: create a user, send a sample, see it stored, read it, find its event
 * in the feed, delete the user, who is deleted after a failure too.
 * @throws SmokeFailed that says which step failed, and what was answered.
 */
export async function smoke(options: SmokeOptions): Promise<void> {
  const { report } = options;
  const userId = await createUser(options);
  report(`created the user ${userId}`);
  const deleteUser = async () => {
    await call(options, "DELETE", `/v2/user/${userId}`);
    report("deleted the user; it is erased after the grace period");
  };
  try {
    const before = await lastSequence(options);
    const day = new Date().toISOString().slice(0, 10);
    const receiptId = await sendSample(options, userId, `${day}T00:00:01Z`);
    report(`sent a sample, receipt ${receiptId}`);
    await untilStored(options, userId, receiptId);
    report("the sample is stored");
    await readBack(options, userId, day);
    report("read the sample back");
    const { event_type, sequence } = await untilTold(options, userId, before);
    report(`the feed has its event ${event_type}, sequence ${sequence}`);
  } catch (error) {
    // What failed first is what is told, also where the deletion fails after it.
    await deleteUser().catch(() => report(`the user ${userId} could not be deleted`));
    throw error;
  }
  await deleteUser();
}

type Answer = Readonly<Record<string, unknown>>;

/** @throws SmokeFailed when the answer is not 2xx JSON, or there is none. */
async function call({ baseUrl, key }: SmokeOptions, method: string, path: string, body?: unknown): Promise<Answer> {
  const failed = (what: string, cause?: unknown) => new SmokeFailed(`${method} ${path}: ${what}`, { cause });
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { "content-type": "application/json", "x-service-api-key": key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw failed("no answer", error);
  });
  const text = await response.text();
  if (!response.ok) throw failed(`${response.status} ${text.slice(0, 300)}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw failed("an answer that is not JSON", error);
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
  if (receipt.accepted !== 1) throw new SmokeFailed(`the sample was refused: ${JSON.stringify(receipt.rejected)}`);
  return String(receipt.receipt_id);
}

/** Asks until there is an answer to take. @throws SmokeFailed when there is none after all tries. */
async function until<T>(options: SmokeOptions, what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (let asked = 0; asked < options.tries; asked++) {
    if (asked > 0) await options.pause();
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new SmokeFailed(`${what}, asked ${options.tries} times`);
}

const untilStored = (options: SmokeOptions, userId: string, receiptId: string) =>
  until(options, "the sample is not stored", async () => {
    const { status, stored } = await call(options, "GET", `/v2/ingest/${userId}/${receiptId}`);
    return status === "done" && stored === 1 ? true : undefined;
  });

async function readBack(options: SmokeOptions, userId: string, day: string): Promise<void> {
  const path = `/v2/timeseries/${userId}/heartrate/grouped?start_date=${day}&end_date=${day}`;
  const { groups } = await call(options, "GET", path);
  const all = Object.values((groups ?? {}) as Record<string, { data: { value: number }[] }[]>).flat();
  const values = all.flatMap(({ data }) => data.map(({ value }) => value));
  if (values.length !== 1 || values[0] !== 61) throw new SmokeFailed(`read ${JSON.stringify(values)} instead of [61]`);
}

interface FeedEvent {
  readonly sequence: number;
  readonly body: { readonly event_type: string; readonly user_id?: string } | null;
}

async function page(options: SmokeOptions, after: number): Promise<{ events: readonly FeedEvent[]; next: number }> {
  const answer = await call(options, "GET", `/v2/events?after=${after}&limit=500`);
  return { events: answer.events as readonly FeedEvent[], next: Number(answer.next) };
}

/** The sequence of the last event of the team. */
async function lastSequence(options: SmokeOptions): Promise<number> {
  for (let after = 0; ; ) {
    const { events, next } = await page(options, after);
    if (events.length === 0) return after;
    after = next;
  }
}

function untilTold(options: SmokeOptions, userId: string, after: number) {
  let from = after;
  return until(options, "no event of the sample came", async () => {
    const { events, next } = await page(options, from);
    from = next;
    const found = events.find(({ body }) => body?.user_id === userId && body.event_type.includes(".heartrate."));
    return found?.body ? { event_type: found.body.event_type, sequence: found.sequence } : undefined;
  });
}
