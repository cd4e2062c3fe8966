import { expect, test } from "vitest";
import { countRecords } from "../../../../lib/domain/ingest/accept-batch.ts";
import { generateDemoBatches } from "../../../../lib/simulators/demo/demo-batches.ts";
import { splitIntoSyncParts } from "../../../../lib/simulators/demo/split-into-sync-parts.ts";

const request = { days: 60, endMs: Date.UTC(2026, 3, 10, 14, 3), seed: 7 };
const parts = splitIntoSyncParts("now", generateDemoBatches(request));

test("parts contain every record once, grouped by source type", () => {
  const totals = (all: Iterable<{ source_type: string; resources: Readonly<Record<string, readonly unknown[]>> }>) => {
    const found: Record<string, number> = {};
    for (const { source_type, resources } of all)
      for (const [name, records] of Object.entries(resources))
        found[`${source_type} ${name}`] = (found[`${source_type} ${name}`] ?? 0) + records.length;
    return found;
  };
  expect(totals(parts)).toEqual(totals(generateDemoBatches(request)));
});

test("parts are few and within the request limit, and the last part of each source type is final", () => {
  for (const { resources } of parts) expect(countRecords(resources)).toBeLessThanOrEqual(10_000);
  const ofWatch = parts.filter(({ source_type }) => source_type === "watch");
  expect(ofWatch.length).toBeLessThan(10);
  expect(ofWatch.map(({ part }) => part)).toEqual(ofWatch.map((_, index) => index));
  expect(parts.filter(({ done }) => done).map(({ sync_id }) => sync_id)).toEqual(["now watch", "now phone"]);
  expect(parts.at(-1)?.done && ofWatch.at(-1)?.done).toBe(true);
});
