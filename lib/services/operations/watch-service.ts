import * as z from "zod";
import { Misconfigured } from "../../runtime/errors.ts";
import type { Log } from "../../runtime/log.ts";
import { ports } from "../../runtime/ports.ts";
import { readSecretText } from "../../runtime/secret-text.ts";
import { currentTraceparent } from "../../runtime/span.ts";
import { baseUrl } from "../../runtime/wire-source.ts";

/** The metric of failed plays. The alarm counts it in total. */
const WATCH_METRIC = "watch.failed";

/**
 * Time for one call, and between two reads of the receipt; time and reads until the sample must be stored. With all calls
 * at their limit a play takes about 70 s, so the function never ends before it has counted the failure and deleted the
 * user.
 */
const [CALL_TIMEOUT_MS, PAUSE_MS, STORE_MS, MAX_READS] = [10_000, 1_000, 20_000, 20];
const VALUE = 61;

const createdUser = z.object({ user_id: z.string() });
const acceptance = z.object({ receipt_id: z.string(), accepted: z.literal(1) });
const receipt = z.object({ status: z.string(), stored: z.number() });
const page = z.object({
  groups: z.record(z.string(), z.array(z.object({ data: z.array(z.object({ value: z.number() })) }))),
});

/** A step that did not end as it must. */
class StepFailed extends Error {
  override readonly name = "StepFailed";
  readonly step: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;

  constructor(step: string, status: number, options?: ErrorOptions) {
    super(`${step}: ${status}`, options);
    this.step = step;
    this.status = status;
  }
}

/**
 * Plays the life of one sample against the address of the deployment: creates a user, sends a sample, waits until it is
 * stored, reads it, and deletes the user. Counts and logs a failure instead of throwing, so that no run is repeated.
 */
export async function watchService(log: Log): Promise<{ readonly isHealthy: boolean }> {
  try {
    await play(await readKey());
    return { isHealthy: true };
  } catch (error) {
    const about = error instanceof StepFailed ? { step: error.step, status: error.status } : {};
    log.error("the service does not work for a caller", error, about);
    log.metric(WATCH_METRIC, 1, [{ service: "watch" }]);
    return { isHealthy: false };
  }
}

/** @throws Misconfigured if the secret has no value. */
async function readKey(): Promise<string> {
  const key = await readSecretText(process.env.WATCH_KEY_SECRET ?? "");
  if (!key) throw new Misconfigured("watch.keySecretArn");
  return key;
}

async function play(key: string): Promise<void> {
  const name = `watch-${ports().ids.uuid()}`;
  const { user_id } = await call(createdUser, key, "create", "POST", "/v2/user", { client_user_id: name });
  try {
    await playSample(key, user_id);
  } catch (error) {
    await deleteUser(key, user_id).catch(() => {});
    throw error;
  }
  await deleteUser(key, user_id);
}

const deleteUser = (key: string, userId: string) => call(z.unknown(), key, "delete", "DELETE", `/v2/user/${userId}`);

async function playSample(key: string, userId: string): Promise<void> {
  const day = new Date(ports().clock.now()).toISOString().slice(0, 10);
  const resources = { heartrate: [{ timestamp: `${day}T00:00:01Z`, value: VALUE }] };
  const batch = { provider: "apple_health_kit", source_type: "watch", resources };
  const { receipt_id } = await call(acceptance, key, "ingest", "POST", `/v2/ingest/${userId}`, batch);
  await waitUntilStored(key, `/v2/ingest/${userId}/${receipt_id}`);
  const path = `/v2/timeseries/${userId}/heartrate/grouped?start_date=${day}&end_date=${day}`;
  const { groups } = await call(page, key, "read", "GET", path);
  const values = Object.values(groups)
    .flat()
    .flatMap(({ data }) => data.map(({ value }) => value));
  if (values.length !== 1 || values[0] !== VALUE) throw new StepFailed("read", 200);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function waitUntilStored(key: string, path: string): Promise<void> {
  const { clock } = ports();
  const until = clock.now() + STORE_MS;
  for (let read = 0; read < MAX_READS && clock.now() < until; read++) {
    const { status, stored } = await call(receipt, key, "store", "GET", path);
    if (status === "done" && stored === 1) return;
    await pause(PAUSE_MS);
  }
  throw new StepFailed("store", 200);
}

/** @throws StepFailed unless the response is 2xx and matches the schema. */
async function call<S extends z.ZodType>(
  schema: S,
  key: string,
  step: string,
  method: string,
  path: string,
  body?: object,
): Promise<z.output<S>> {
  const traceparent = currentTraceparent();
  const headers = { "content-type": "application/json", "x-service-api-key": key, ...(traceparent && { traceparent }) };
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const request = { method, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await ports()
    .outbound(() => fetch(`${baseUrl()}${path}`, request), "a route of this service")
    .catch((cause: unknown) => Promise.reject(new StepFailed(step, 0, { cause })));
  const parsed = schema.safeParse(await response.json().catch(() => undefined));
  if (!response.ok || !parsed.success) throw new StepFailed(step, response.status);
  return parsed.data;
}
