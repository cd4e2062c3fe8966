import { expect, test } from "vitest";
import type { AwsRequest } from "../../../lib/local/aws-proxy/aws-request.ts";
import type { ResourceIndex } from "../../../lib/local/aws-proxy/resource-index.ts";
import { listWrittenResources } from "../../../lib/local/aws-proxy/written-resources.ts";

const events = { arn: "arn", partitionKey: "pk", indexes: new Map([["due", "due_shard"]]) };
const catalogue: ResourceIndex = {
  region: "r",
  account: "1",
  tables: new Map([["events", events]]),
  keyArns: new Map(),
  secretArns: new Map(),
};
const consumed = { TableName: "events", Table: {}, GlobalSecondaryIndexes: { due: {} } };

function names(operation: string, body: object, rest: object = {}, table: object = consumed) {
  const request = { method: "POST", path: "/", headers: {}, raw: Buffer.of(), service: "dynamodb" as const };
  const asked: AwsRequest = { ...request, operation, body: { ...body } };
  return listWrittenResources({ ...consumed, ...table }, asked, { ...rest }, catalogue);
}

test("a write names the index partition of its item if the request or the response contains the item", () => {
  const Attributes = { pk: { S: "a" }, due_shard: { S: "d#1" } };
  const part = ["events", "events/index/due#d#1"];
  expect(names("PutItem", { Item: Attributes })).toEqual(part);
  expect(names("UpdateItem", { ReturnValues: "ALL_NEW" }, { Attributes })).toEqual(part);
  for (const [operation, body] of [
    ["UpdateItem", { ReturnValues: "ALL_OLD" }],
    ["DeleteItem", {}],
    ["TransactWriteItems", {}],
  ] as const) {
    expect(names(operation, body, { Attributes }), operation).toEqual(["events", "events/index/due"]);
  }
});

test("an item that left an index does not count as a write to it", () => {
  expect(names("UpdateItem", { ReturnValues: "ALL_NEW" }, { Attributes: { pk: { S: "a" } } })).toEqual(["events"]);
});

test("a non-text partition key and unspecified capacity count as a write to the whole", () => {
  expect(names("PutItem", { Item: { due_shard: { N: "1" } } })).toEqual(["events", "events/index/due"]);
  expect(names("PutItem", { Item: {} }, {}, { Table: undefined })).toEqual(["events/*"]);
});
