/** A kind of request of a load. */
export interface LoadStep {
  readonly name: string;
  /** Share among all kinds, as a whole number. */
  readonly weight: number;
  readonly method: "GET" | "POST";
  /** Path of the request. @param number counts the requests, so that each has its own content. */
  path(userId: string, number: number): string;
  body?(number: number): object;
}

const SAMPLES = 54;
const SAMPLE_MS = 5_500;
const SYNC_MS = 300_000;
const FIRST_MS = Date.parse("2026-05-01T00:00:00Z");
const DAY = "2026-05-01";

/** The samples that a watch sends every five minutes: one of heart rate every 5.5 seconds. */
function syncOf(number: number): object {
  const startMs = FIRST_MS + number * SYNC_MS;
  const heartrate = Array.from({ length: SAMPLES }, (_, place) => ({
    timestamp: new Date(startMs + place * SAMPLE_MS).toISOString(),
    value: 60 + ((place * 31 + number) % 40),
  }));
  return { provider: "apple_health_kit", source_type: "watch", resources: { heartrate } };
}

/** The usual mix: most requests push data, some read it. */
export const usualMix: readonly LoadStep[] = [
  { name: "push", weight: 6, method: "POST", path: (userId) => `/v2/ingest/${userId}`, body: syncOf },
  {
    ...{ name: "read a day", weight: 3, method: "GET" },
    path: (userId) => `/v2/timeseries/${userId}/heartrate/grouped?start_date=${DAY}&end_date=${DAY}`,
  },
  { name: "read a user", weight: 1, method: "GET", path: (userId) => `/v2/user/${userId}` },
];

/** Returns the kind of the n-th request: kinds alternate by their weights, without chance. */
export function stepAt(mix: readonly LoadStep[], number: number): LoadStep {
  const slots = mix.flatMap((step) =>
    Array.from({ length: step.weight }, (_, place) => ({ step, at: (place + 0.5) / step.weight })),
  );
  const [found] = slots.toSorted((a, b) => a.at - b.at).slice(number % slots.length);
  if (!found) throw new Error("the mix is empty");
  return found.step;
}
