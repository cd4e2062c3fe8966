import { expect } from "vitest";
import type { Connector, PulledBatch, TimeWindow } from "../../../lib/connectors/connector.ts";
import type { ProviderClient } from "../../../lib/connectors/provider-client.ts";
import { acceptBatch } from "../../../lib/domain/ingest/accept-batch.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import type { ExpectedRecord } from "../../../lib/simulators/providers/synthetic-data/expected-records.ts";
import { connectProvider, DAY_MS } from "./connected-provider.ts";

const user = newUser({ client_user_id: "ada" }, { userId: "user", teamId: "team" }, "2026-01-01T00:00:00.000Z");

/** Records that the service would store, by resource. */
export type AcceptedRecords = Readonly<Record<string, readonly ExpectedRecord[]>>;

/** Connects Ada's account to a simulator with the connector's own OAuth flow, without a network. */
export async function createConnection(connector: Connector) {
  const world = await connectProvider(connector.slug);
  const accountId = await world.connect();
  const tokens = {
    get access() {
      return world.tokens().access_token;
    },
    get refresh() {
      return String(world.tokens().refresh_token ?? "");
    },
  };
  return { ...world, accountId, tokens, pull: puller(connector, world.client, world.clock.now) };
}

/** Returns a function that pulls resources window by window and expects every record to be accepted. */
function puller(connector: Connector, client: ProviderClient, now: () => number) {
  return async (window: TimeWindow, ...names: readonly string[]): Promise<AcceptedRecords> => {
    const batches: PulledBatch[] = [];
    for (const { name, windowDays } of connector.resources.filter((one) => names.includes(one.name))) {
      for (let startMs = window.startMs; startMs < window.endMs; startMs += windowDays * DAY_MS) {
        const endMs = Math.min(window.endMs, startMs + windowDays * DAY_MS);
        for await (const batch of connector.pull(name, { startMs, endMs }, client)) batches.push(batch);
      }
    }
    return acceptBatches(batches, now());
  };
}

/** The records of batches that the service would store; later ones replace earlier ones. @throws for a rejection. */
export function acceptBatches(batches: readonly PulledBatch[], receivedAt: number): AcceptedRecords {
  const all: Record<string, Map<string, ExpectedRecord>> = {};
  const keep = (name: string, key: string, record: ExpectedRecord) => {
    all[name] ??= new Map();
    all[name].set(key, record);
  };
  for (const { source_type, resources } of batches) {
    const about = { provider: "any", device_id: null, stage: "historical", is_final: false, source_type } as const;
    const { batch, rejected } = acceptBatch({ ...about, resources }, user, receivedAt);
    expect(rejected).toEqual([]);
    for (const [name, samples] of Object.entries(batch.samples))
      for (const one of samples) keep(name, String(one.start), { ...one, ...one.fields, ...instants(one) });
    for (const [name, summaries] of Object.entries(batch.summaries))
      for (const { key, providerId, fields } of summaries) keep(name, key, { ...fields, provider_id: providerId });
    for (const [name, streams] of Object.entries(batch.streams))
      for (const { providerId, content } of streams) keep(name, providerId, { ...content, provider_id: providerId });
  }
  return Object.fromEntries(Object.entries(all).map(([name, records]) => [name, [...records.values()]]));
}

function instants({ start, end }: { readonly start: number; readonly end?: number }) {
  const iso = (ms: number) => new Date(ms).toISOString();
  return { timestamp: iso(start), start: iso(start), ...(end === undefined ? {} : { end: iso(end) }) };
}

/** The sleep stages of all nights as samples. */
export const sleepStages = ({ sleep_stream = [] }: AcceptedRecords): ExpectedRecord[] =>
  sleep_stream.flatMap(({ hypnogram }) => hypnogram as ExpectedRecord[]);

/**
 * Expects a matching record for each expected record. @param key the field that identifies a record in both lists.
 * @param near the tolerance of numbers.
 */
export function expectRecords(
  found: readonly ExpectedRecord[] | undefined,
  truth: readonly ExpectedRecord[] | undefined,
  key: string,
  near = 1e-6,
): void {
  expect(truth?.length ?? 0).toBeGreaterThan(0);
  const byKey = new Map(found?.map((one) => [plainKey(one[key]), one]));
  const actual = truth?.map((right) => pick(byKey.get(plainKey(right[key])) ?? {}, right, near));
  expect(actual).toEqual(truth);
}

const isInstant = (value: unknown): value is string => typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value);
const plainKey = (value: unknown) => (isInstant(value) ? Date.parse(value) : value);

/** Returns `right` where the value matches it: by expected fields, by instant, or by number within the tolerance. */
function pick(value: unknown, right: unknown, near: number): unknown {
  if (typeof value === "number" && typeof right === "number") return Math.abs(value - right) <= near ? right : value;
  if (isInstant(value) && isInstant(right)) return Date.parse(value) === Date.parse(right) ? right : value;
  if (Array.isArray(value) && Array.isArray(right))
    return value.length === right.length ? right.map((one, place) => pick(value[place], one, near)) : value;
  if (typeof value !== "object" || value === null || typeof right !== "object" || right === null) return value;
  const names = Object.keys(right);
  return Object.fromEntries(
    names.map((name) => [name, pick(Reflect.get(value, name), Reflect.get(right, name), near)]),
  );
}

/** The expected records of whole local days. @param from first date. @param to last date. */
export function expectedBetween(
  provider: Awaited<ReturnType<typeof createConnection>>["provider"],
  from: string,
  to: string,
  account = "ada",
) {
  return provider.expectedRecords(account, Date.parse(from) + DAY_MS / 2, Date.parse(to) + DAY_MS / 2);
}

/** A window from the start of one date to the end of another. */
export const windowBetween = (from: string, to: string): TimeWindow => ({
  startMs: Date.parse(from) - DAY_MS / 2,
  endMs: Date.parse(to) + 1.5 * DAY_MS,
});
