import { afterAll, beforeAll, expect, test } from "vitest";
import { directoryTable } from "../../../lib/contract/resources.ts";
import { KeyUseStore } from "../../../lib/store/management/key-uses.ts";
import { Table } from "../../../lib/store/table.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const NOW = Date.UTC(2026, 4, 1, 8);

let dynamodb: TestDynamodb;
let deps: KeyUseStore;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  deps = new KeyUseStore(new Table(dynamodb.documents, directoryTable.name));
});
afterAll(() => dynamodb.stop());

const lastUse = async (keyId: string) => Date.parse((await deps.getLastUses([keyId])).get(keyId) ?? "") - NOW;

test("concurrent uses of a key by many containers are written once per minute", async () => {
  await Promise.all(Array.from({ length: 10 }, () => deps.recordUse("mg_1", NOW)));
  await deps.recordUse("mg_1", NOW + 60_000);
  expect(await lastUse("mg_1")).toBe(0);
  await deps.recordUse("mg_1", NOW + 60_001);
  await deps.recordUse("mg_1", NOW);
  expect(await lastUse("mg_1")).toBe(60_001);
});

test("an unused key has no last use", async () => {
  await deps.recordUse("mg_2", NOW);
  expect([...(await deps.getLastUses(["mg_2", "mg_3"])).keys()]).toEqual(["mg_2"]);
  expect((await deps.getLastUses([])).size).toBe(0);
});
