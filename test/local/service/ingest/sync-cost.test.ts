import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatSyncRow, type SyncCounts } from "../../../../lib/cli/cost/sync-cost.ts";
import { TestService } from "../../../support/service.ts";
import { fourResources, measureSync, oneResource } from "./sync-cost.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** The most that a sync may cost: units and requests to DynamoDB, in all tables. */
const MOST = {
  one: { writeUnits: 15, readUnits: 17, requests: 27 },
  four: { writeUnits: 39, readUnits: 34, requests: 52 },
} as const;

/** The counts that a row of docs/cost.md states. */
function rowOf(name: string): { readonly text: string; readonly counts: SyncCounts } {
  const text =
    readFileSync("docs/cost.md", "utf8")
      .split("\n")
      .find((line) => line.startsWith(`| ${name} |`)) ?? "";
  const [writeUnits = 0, readUnits = 0, requests = 0] = text.split("|").slice(2, 5).map(Number);
  return { text, counts: { writeUnits, readUnits, requests } };
}

/** Checks the counts against their limits and their row. The limit of requests, leased once a second, varies them. */
function check(name: string, counts: SyncCounts, most: SyncCounts, events: number): void {
  const row = rowOf(name);
  for (const unit of ["writeUnits", "readUnits", "requests"] as const) {
    expect(counts[unit], `${name}: ${unit}`).toBeLessThanOrEqual(most[unit]);
    expect(Math.abs(counts[unit] - row.counts[unit]), `${name}: ${unit} in docs/cost.md`).toBeLessThanOrEqual(1.5);
  }
  expect(row.text).toBe(formatSyncRow(name, row.counts, events));
}

test("a sync of one resource costs what docs/cost.md says", { tags: "deep" }, async () => {
  const counts = await measureSync(service, "one", oneResource);
  check("one resource, 54 samples", counts, MOST.one, 1);
});

test("a sync of four resources costs what docs/cost.md says", { tags: "deep" }, async () => {
  const counts = await measureSync(service, "four", fourResources);
  check("four resources, 69 samples", counts, MOST.four, 4);
});
