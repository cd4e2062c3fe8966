import { createSeededRandom } from "../../support/synthetic-streams.ts";
import type { RunningService } from "../running-service.ts";

const DAY_MS = 86_400_000;
/** Distance of samples. */
const STEP_MS = 5_000;
const DAYS = 365;
/** The maximum of a request (lib/domain/ingest/batch.ts). */
const BATCH_SIZE = 10_000;
/** Requests between two waits for the service, so that its queue stays short. */
const BATCHES_AT_ONCE = 8;

/** The first millisecond of the year. */
export const YEAR_START = Date.UTC(2025, 0, 1);
/** The end of the year. */
export const YEAR_END = YEAR_START + DAYS * DAY_MS;
/** Samples of a year, one every five seconds without a pause. */
export const SAMPLES_OF_YEAR = (DAYS * DAY_MS) / STEP_MS;

/** Heart rate by time of day, with a slow drift and noise, in batches of maximum size. */
function* heartRateBatches() {
  const random = createSeededRandom(25);
  let drift = 0;
  const record = (at: number) => {
    const ms = YEAR_START + at * STEP_MS;
    drift = 0.99 * drift + 3 * (random() - 0.5);
    const level = 70 + 14 * Math.sin((2 * Math.PI * ms) / DAY_MS) + drift + 4 * random();
    return { timestamp: new Date(ms).toISOString(), value: Math.round(level) };
  };
  for (let first = 0; first < SAMPLES_OF_YEAR; first += BATCH_SIZE) {
    const length = Math.min(BATCH_SIZE, SAMPLES_OF_YEAR - first);
    yield Array.from({ length }, (_, index) => record(first + index));
  }
}

/** Sends the year through the API, and waits until the service has stored it. */
export async function fillHeartRate(service: RunningService, userId: string): Promise<void> {
  let sending: Promise<unknown>[] = [];
  const settle = async () => {
    await Promise.all(sending);
    sending = [];
    await service.call("POST", "/_local/settle");
  };
  for (const heartrate of heartRateBatches()) {
    sending.push(send(service, userId, heartrate));
    if (sending.length === BATCHES_AT_ONCE) await settle();
  }
  await settle();
}

const send = (service: RunningService, userId: string, heartrate: readonly object[]) =>
  service.call("POST", `/v2/ingest/${userId}`, { provider: "oura", source_type: "ring", resources: { heartrate } });
