import { PutCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findIndexKeys, writtenElements } from "../../../lib/local/aws-proxy/index-keys.ts";
import { ProxyWithEngines } from "./proxy-with-engines.ts";

let cloud: ProxyWithEngines;
beforeAll(async () => {
  cloud = await ProxyWithEngines.start();
});
afterAll(() => cloud.stop());
beforeEach(() => {
  cloud.reset();
  cloud.meter.keys.start();
});

/** The uses since the last call: index, key, read units, write units. */
const takeUses = () =>
  cloud.meter.keys
    .take()
    .map(({ index, key, readUnits, writeUnits }) => [index ?? "table", key, readUnits, writeUnits]);

test("a write counts at the key of its item and at the key of each index", async () => {
  await cloud.put("user#k", 2_500);
  expect(takeUses()).toEqual([
    ["table", "user#k", 0, 3],
    ["by_team", "team#1", 0, 1],
  ]);
});

test("a query of an index counts at the key of the index", async () => {
  await cloud.put("user#k");
  takeUses();
  await cloud.query("team = :key", "by_team");
  expect(takeUses()).toEqual([["by_team", "team#1", 0.5, 0]]);
});

test("the keys of one request share its units", async () => {
  const TransactItems = ["user#a", "user#b"].map((pk) => ({
    Put: { TableName: cloud.table.name, Item: { pk, sk: "plain" } },
  }));
  await cloud.documents.send(new TransactWriteCommand({ TransactItems }));
  expect(takeUses()).toEqual([
    ["table", "user#a", 0, 2],
    ["table", "user#b", 0, 2],
  ]);
});

test("a failed condition counts at the key of the item", async () => {
  await cloud.put("user#f");
  takeUses();
  const again = {
    TableName: cloud.table.name,
    Item: cloud.item("user#f"),
    ConditionExpression: "attribute_not_exists(pk)",
  };
  await expect(cloud.documents.send(new PutCommand(again))).rejects.toThrow();
  expect(takeUses()).toEqual([["table", "user#f", 0, 1]]);
});

const request = (operation: string, body: Record<string, unknown>) =>
  ({ operation, body, service: "dynamodb", method: "POST", path: "/", headers: {}, raw: Buffer.alloc(0) }) as const;
const Key = { pk: { S: "p" }, sk: { S: "s" } };

test.each([
  ["SET #due = :at REMOVE lease", { now: "due#1", isGone: false }],
  ["SET lease = :at REMOVE #due, other", { now: undefined, isGone: true }],
  ["SET lease = :at", { now: undefined, isGone: false }],
])("the update %s states what becomes of an attribute", (UpdateExpression, expected) => {
  const update = { TableName: "t", Key, UpdateExpression, ExpressionAttributeNames: { "#due": "due_shard" } };
  const [element] = writtenElements(
    request("UpdateItem", { ...update, ExpressionAttributeValues: { ":at": { S: "due#1" } } }),
    "t",
  );
  expect(element && findIndexKeys(element, "due_shard")).toEqual(expected);
});

test("elements of a transaction belong to the table that they name", () => {
  const TransactItems = [{ Put: { TableName: "t", Item: Key } }, { Delete: { TableName: "other", Key } }];
  expect(writtenElements(request("TransactWriteItems", { TransactItems }), "other")).toEqual([{ id: '["p","s"]' }]);
});
