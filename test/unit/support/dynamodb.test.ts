import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { directoryTable } from "../../../lib/contract/resources.ts";
import { Table } from "../../../lib/store/table.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const anything = z.record(z.string(), z.unknown());
const user = {
  pk: "user#1",
  sk: "user",
  name: "n",
  team_users: "t",
  team_users_sort: "1",
  due_shard: "d",
  due_at: "1",
};
const keys = { pk: "user#1", sk: "user" };

let dynamodb: TestDynamodb;
let table: Table;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  table = new Table(dynamodb.documents, directoryTable.name);
});
afterAll(() => dynamodb.stop());

const found = (index: string, key: string, value: string) =>
  table.query(
    { IndexName: index, KeyConditionExpression: `${key} = :value`, ExpressionAttributeValues: { ":value": value } },
    anything,
  );

test("indexes project what their declaration says: keys only, or whole items", async () => {
  await table.put(user);
  expect((await found("team_users", "team_users", "t")).items).toEqual([
    { ...keys, team_users: "t", team_users_sort: "1" },
  ]);
  expect((await found("due", "due_shard", "d")).items).toEqual([user]);
});

test("clear empties the tables and leaves them usable", async () => {
  await table.put(user);
  await dynamodb.clear();
  expect(await table.get(keys, anything)).toBeUndefined();
  expect((await found("due", "due_shard", "d")).items).toEqual([]);
  await table.put(user, { ConditionExpression: "attribute_not_exists(pk)" });
});
