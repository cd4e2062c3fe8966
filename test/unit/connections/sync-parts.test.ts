import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { syncParts } from "../../../lib/contract/resources.ts";
import { SyncPartStore } from "../../../lib/store/connections/sync-parts.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const scope = TeamScope.grant("t");
const NOW = Date.parse("2026-05-01T08:00:00Z");

let dynamodb: TestDynamodb;
let table: Table;
let store: SyncPartStore;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  table = new Table(dynamodb.documents, syncParts.table.name);
  store = new SyncPartStore(table);
});
afterAll(() => dynamodb.stop());

const partOf = (receipt_id: string) => ({ answer: { receipt_id, accepted: 1, rejected: [] }, ranges: {} });
const apple = { provider: "apple_health_kit", syncId: "one", part: 0 };
const android = { ...apple, provider: "health_connect" };

test("parts of two providers with the same numbers are two, and each is stored once", async () => {
  expect(await store.putIfAbsent(scope, "u1", apple, partOf("a"), NOW)).toEqual(partOf("a"));
  expect(await store.putIfAbsent(scope, "u1", android, partOf("b"), NOW)).toEqual(partOf("b"));
  expect(await store.putIfAbsent(scope, "u1", apple, partOf("late"), NOW)).toEqual(partOf("a"));
  expect(await store.get(scope, "u1", android)).toEqual(partOf("b"));
  expect(await store.list(scope, "u1", apple)).toEqual([partOf("a")]);
});

test("a part that the version before stored, which names no provider, still counts", async () => {
  const digest = createHash("sha256").update("one").digest("hex");
  const expires_at = NOW / 1000 + 86_400;
  await table.put({ pk: `${syncParts.keyPrefix}t#u2`, sk: `${digest}#0`, ...partOf("before"), expires_at });
  await store.putIfAbsent(scope, "u2", { ...apple, part: 1 }, partOf("after"), NOW);
  expect(await store.get(scope, "u2", apple)).toEqual(partOf("before"));
  expect(await store.list(scope, "u2", apple)).toEqual([partOf("before"), partOf("after")]);
});
