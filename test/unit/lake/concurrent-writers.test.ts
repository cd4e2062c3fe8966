import { afterAll, beforeAll, expect, test } from "vitest";
import { directoryTable } from "../../../lib/contract/resources.ts";
import { dayOfDate, type LakeRow } from "../../../lib/domain/lake/lake-column.ts";
import { lakeTable, lakeTablePrefix } from "../../../lib/domain/lake/lake-tables.ts";
import { openTable as openDynamodbTable } from "../../../lib/runtime/aws/aws.ts";
import type { LakeBucket } from "../../../lib/runtime/aws/lake-bucket.ts";
import { appendRows } from "../../../lib/services/lake/append-rows.ts";
import { openTable } from "../../../lib/services/lake/commit-table.ts";
import { eraseFromLake } from "../../../lib/services/lake/erase-from-lake.ts";
import { decodeRows } from "../../../lib/services/lake/iceberg/parquet-rows.ts";
import { listLiveFiles } from "../../../lib/services/lake/iceberg/table-state.ts";
import { maintainTable } from "../../../lib/services/lake/maintain-table.ts";
import { LakeTableStore } from "../../../lib/store/lake/lake-tables.ts";
import { LakeUserStore } from "../../../lib/store/lake/lake-users.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { commit } from "../../../lib/store/transaction.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";
import { MemoryObjects } from "./memory-objects.ts";

let dynamodb: TestDynamodb;
beforeAll(async () => {
  dynamodb = await startDynamodb();
});
afterAll(() => dynamodb.stop());

const scope = TeamScope.grant("0e5d6f0e-0000-4000-8000-000000000000");
const table = { scope, name: "samples" } as const;
const { columns } = lakeTable("samples");
const DAYS = ["2026-05-01", "2026-05-02", "2026-05-03"].map(dayOfDate);
const DAY_MS = 24 * 60 * 60 * 1000;

const row = (user_id: string, day: number, start: number): LakeRow => ({
  ...{ day, user_id, resource: "heartrate", provider: "oura", source_type: "ring", start: day * DAY_MS + start },
  ...{ end: day * DAY_MS + start, value: start, unit: "bpm", is_deleted: false, received_at: 1, receipt: "r" },
});

function createDependencies() {
  const directory = openDynamodbTable(directoryTable);
  return {
    lake: new MemoryObjects() as MemoryObjects & LakeBucket,
    lakeTables: new LakeTableStore(directory),
    lakeUsers: new LakeUserStore(directory),
    commit: (items: Parameters<typeof commit>[1]) => commit(dynamodb.documents, items, Math.random),
  };
}
type Deps = ReturnType<typeof createDependencies>;

/** Repeats work as a queue and a state machine do. */
async function repeat(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}

async function appendBatches(deps: Deps, userId: string, count: number): Promise<void> {
  for (let batch = 0; batch < count; batch++) {
    const rows = DAYS.map((day) => row(userId, day, batch));
    const append = { userId, id: `${userId}-${batch}`, rows };
    // Two messages of one batch at the same time.
    await Promise.all([1, 2].map(() => repeat(() => appendRows(deps, table, [append]))));
  }
}

test("appends, merges and an erasure at the same time lose no row, repeat none, and leave none of the erased user", {
  tags: "deep",
}, async () => {
  const deps = createDependencies();
  await appendBatches(deps, "erased", 4);
  const maintain = async () => {
    for (let run = 0; run < 6; run++) await repeat(() => maintainTable(deps, table));
  };
  await Promise.all([
    ...["a", "b", "c"].map((userId) => appendBatches(deps, userId, 6)),
    maintain(),
    repeat(() => eraseFromLake(deps, scope, "erased")),
  ]);
  await maintain();
  const open = await openTable(deps, table);
  const counts = new Map<unknown, number>();
  for (const { path } of await listLiveFiles(deps.lake, open)) {
    for (const { user_id } of await decodeRows(columns, await deps.lake.get(deps.lake.keyOf(path))))
      counts.set(user_id, (counts.get(user_id) ?? 0) + 1);
  }
  expect(Object.fromEntries(counts)).toEqual({ a: 18, b: 18, c: 18 });
  for (const [key, bytes] of deps.lake.stored) {
    expect(key.startsWith(lakeTablePrefix(scope.teamId, "samples"))).toBe(true);
    if (!key.endsWith(".parquet")) continue;
    expect((await decodeRows(columns, bytes)).filter(({ user_id }) => user_id === "erased")).toEqual([]);
  }
});
