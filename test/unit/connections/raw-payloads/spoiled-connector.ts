import type { PulledBatch, PulledProvider, Push } from "../../../../lib/connectors/connector.ts";

type Row = Readonly<Record<string, unknown>>;

const isInstant = (value: unknown) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:/.test(value);
const addMinute = (text: string) => new Date(Date.parse(text) + 60_000).toISOString();

/** Changes each number of a record a little, as a wrong unit would. Lists stay. */
const scaled = (record: Row): Row =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, name === "timezone_offset" ? value : scaledValue(value)]),
  );

function scaledValue(value: unknown): unknown {
  if (typeof value === "number") return Math.round(value * 1.1);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? scaled(value as Row) : value;
}

/** Moves a sample in time, as a wrong offset would. */
const moved = (record: Row): Row =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, isInstant(value) ? addMinute(String(value)) : value]),
  );

/** Loses some records of each resource, moves some samples, and changes the numbers of all others. */
function spoil(batch: PulledBatch): PulledBatch {
  const resources = Object.entries(batch.resources).map(([name, records]) => [
    name,
    records.flatMap((record, place) => {
      if (records.length > 2 && place % 5 === 2) return [];
      const isSample = "value" in record && ("timestamp" in record || "start" in record);
      return [isSample && place % 5 === 3 ? moved(record) : scaled(record)];
    }),
  ]);
  return { ...batch, resources: Object.fromEntries(resources) };
}

/** A connector with a wrong mapping. It sends the same requests. */
export const spoilConnector = (connector: PulledProvider): PulledProvider => ({
  ...connector,
  async *pull(resource, window, client) {
    for await (const batch of connector.pull(resource, window, client)) yield spoil(batch);
  },
});

/** Pushes as a wrong mapping reads them. */
export const spoilPushes = (pushes: readonly Push[]): Push[] =>
  pushes.map((push) => (push.batch ? { ...push, batch: spoil(push.batch) } : push));
