import { afterAll, beforeAll, expect, test } from "vitest";
import { directory } from "../../../lib/contract/resources.ts";
import { KeyUseStore } from "../../../lib/store/key-uses.ts";
import { Table } from "../../../lib/store/table.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const NOW = Date.UTC(2026, 4, 1, 8);

let dynamodb: TestDynamodb;
let uses: KeyUseStore;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  uses = new KeyUseStore(new Table(dynamodb.documents, directory.name));
});
afterAll(() => dynamodb.stop());

const lastUse = async (keyId: string) => Date.parse((await uses.lastUses([keyId])).get(keyId) ?? "") - NOW;

test("concurrent uses of a key by many containers are written once per minute", async () => {
  await Promise.all(Array.from({ length: 10 }, () => uses.note("mg_1", NOW)));
  await uses.note("mg_1", NOW + 60_000);
  expect(await lastUse("mg_1")).toBe(0);
  await uses.note("mg_1", NOW + 60_001);
  await uses.note("mg_1", NOW);
  expect(await lastUse("mg_1")).toBe(60_001);
});

test("an unused key has no last use", async () => {
  await uses.note("mg_2", NOW);
  expect([...(await uses.lastUses(["mg_2", "mg_3"])).keys()]).toEqual(["mg_2"]);
  expect((await uses.lastUses([])).size).toBe(0);
});
