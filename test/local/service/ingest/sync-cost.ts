import type { SyncCounts } from "../../../../lib/cli/cost/sync-cost.ts";
import type { MeterSnapshot } from "../../../../lib/local/aws-proxy/meter.ts";
import type { TestService } from "../../../support/service.ts";
import { type BatchResources, ingestBatch, sendBatch } from "./ingest-batch.ts";

/** Users that sync one after another, so that counts of single syncs even out. */
const USERS = 12;
const SYNC_MS = 300_000;
const FIRST_SYNC = "2026-05-01T08:00:00Z";
const SECOND_SYNC = "2026-05-01T08:05:00Z";

/** Values of one resource, at almost regular intervals. */
function series(start: string, count: number, everyMs: number, value: (place: number) => number) {
  return Array.from({ length: count }, (_, place) => ({
    timestamp: new Date(Date.parse(start) + place * everyMs + ((place * 7_919) % 700)).toISOString(),
    value: value(place),
  }));
}

/** A 5-minute sync of a watch: 54 samples of heart rate. */
export const oneResource = (start: string): BatchResources => ({
  heartrate: series(start, 54, 5_500, (place) => 60 + ((place * 31) % 23)),
});

/** A 5-minute sync of four resources. */
export const fourResources = (start: string): BatchResources => ({
  ...oneResource(start),
  hrv: series(start, 5, 60_000, (place) => 40 + (place % 7)),
  blood_oxygen: series(start, 5, 60_000, (place) => 95 + (place % 4)),
  respiratory_rate: series(start, 5, 60_000, (place) => 12 + (place % 5)),
});

/** Counts what a second sync into existing chunks costs in all tables, to a team with one webhook endpoint. */
export async function measureSync(
  service: TestService,
  name: string,
  resources: (start: string) => BatchResources,
): Promise<SyncCounts & { readonly functions: MeterSnapshot["functions"] }> {
  const users: string[] = [];
  for (let number = 0; number < USERS; number++) users.push(await service.createUser(`${name} ${number}`));
  for (const user of users) await ingestBatch(service, user, resources(FIRST_SYNC));
  await service.advance(SYNC_MS);
  await service.call("DELETE", "/_local/meter");
  for (const user of users) {
    const { status, body } = await sendBatch(service, user, resources(SECOND_SYNC));
    if (status !== 202) throw new Error(`not accepted: ${status} ${JSON.stringify(body)}`);
    await service.settle();
  }
  const { tables, functions }: MeterSnapshot = (await service.call("GET", "/_local/meter")).body;
  const units = Object.values(tables).flatMap((operations) => Object.values(operations));
  const perSync = (count: (units: MeterSnapshot["total"]) => number) =>
    units.reduce((sum, of) => sum + count(of), 0) / USERS;
  return {
    requests: perSync(({ requests }) => requests),
    readUnits: perSync(({ read_units }) => read_units),
    writeUnits: perSync(({ write_units }) => write_units),
    functions,
  };
}
