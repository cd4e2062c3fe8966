import { ConditionalCheckFailedException, DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { BatchWriteCommand, GetCommand, PutCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LOCAL_CALLER } from "../../../lib/local/aws-proxy/aws-request.ts";
import { ProxyWithEngines, sendAs } from "./proxy-with-engines.ts";

let cloud: ProxyWithEngines;
beforeAll(async () => {
  cloud = await ProxyWithEngines.start();
});
afterAll(() => cloud.stop());
beforeEach(() => cloud.reset());

describe("faults", () => {
  test("are masked by a retry of the SDK if they occur once", async () => {
    cloud.faults.add({ service: "dynamodb", mode: "fail_before", at_call: 1 });
    expect((await cloud.put("user#f")).$metadata.attempts).toBe(2);
    expect(cloud.meter.snapshot().total.requests).toBe(1);
  });

  test("reach the function if they occur on every attempt", async () => {
    cloud.faults.add({ function: cloud.putUser, mode: "fail_before", at_call: 1, every_attempt: true });
    const error = await cloud.put("user#f").catch((thrown) => thrown);
    expect(error.name).toBe("InternalServerError");
    expect(error.$metadata.attempts).toBeGreaterThan(1);
    expect(cloud.faults.list()).toMatchObject([{ struck: error.$metadata.attempts }]);
    expect((await cloud.put("user#f")).$metadata.attempts).toBe(1);
  });

  test("that lose a reply make the retry of a conditional write fail on its own effect", async () => {
    cloud.faults.add({ service: "dynamodb", mode: "fail_after", at_call: 1 });
    const create = {
      TableName: cloud.table.name,
      Item: cloud.item("user#once"),
      ConditionExpression: "attribute_not_exists(pk)",
    };
    await expect(cloud.documents.send(new PutCommand(create))).rejects.toBeInstanceOf(ConditionalCheckFailedException);
  });

  test("do not affect the test runner itself, which is not metered either", async () => {
    cloud.faults.add({ mode: "fail_before" });
    const { TableNames } = await sendAs(LOCAL_CALLER, new DynamoDBClient()).send(new ListTablesCommand());
    expect(TableNames).toEqual([cloud.table.name]);
    expect(cloud.meter.snapshot().total.requests).toBe(0);
  });
});

describe("the meter", () => {
  const unitsOf = (operation: string) => cloud.meter.snapshot().tables[cloud.table.name]?.[operation];

  test("requests capacity units that the caller did not request, and removes them from the response", async () => {
    const answer = await cloud.put("user#m", 2500);
    expect(answer.ConsumedCapacity).toBeUndefined();
    // 3 KB in the table, and one unit for the new entry of the keys index.
    expect(unitsOf("PutItem")).toEqual({ requests: 1, read_units: 0, write_units: 4 });
    const { functions } = cloud.meter.snapshot();
    expect(functions[cloud.putUser]?.tables[cloud.table.name]?.PutItem?.write_units).toBe(4);
  });

  test("leaves them in the response of a caller that requested them", async () => {
    await cloud.put("user#m", 2500);
    const input = { TableName: cloud.table.name, Key: { pk: "user#m", sk: "user" }, ConsistentRead: true };
    const answer = await cloud.documents.send(new GetCommand({ ...input, ReturnConsumedCapacity: "TOTAL" }));
    expect(answer.ConsumedCapacity).toEqual({ TableName: cloud.table.name, CapacityUnits: 1 });
  });

  test("counts the whole item for a projected read", async () => {
    await cloud.put("user#wide", 9000);
    const key = { TableName: cloud.table.name, Key: { pk: "user#wide", sk: "user" }, ConsistentRead: true };
    const part = { ProjectionExpression: "#sk", ExpressionAttributeNames: { "#sk": "sk" } };
    expect((await cloud.documents.send(new GetCommand({ ...key, ...part }))).Item).toEqual({ sk: "user" });
    expect(unitsOf("GetItem")).toEqual({ requests: 1, read_units: 3, write_units: 0 });
  });

  test("counts a failed conditional write by the size of the existing item", async () => {
    await cloud.put("user#there", 3000);
    cloud.meter.reset();
    const create = {
      TableName: cloud.table.name,
      Item: cloud.item("user#there"),
      ConditionExpression: "attribute_not_exists(pk)",
    };
    const refused = new PutCommand({ ...create, ReturnValuesOnConditionCheckFailure: "ALL_OLD" });
    await expect(cloud.documents.send(refused)).rejects.toBeInstanceOf(ConditionalCheckFailedException);
    expect(unitsOf("PutItem")).toEqual({ requests: 1, read_units: 0, write_units: 3 });
  });

  test("counts transactions twice per item, queries by the data read, and batches by item", async () => {
    const Put = { TableName: cloud.table.name, Item: { pk: "user#tx", sk: "user", text: "x".repeat(1500) } };
    await cloud.documents.send(new TransactWriteCommand({ TransactItems: [{ Put }] }));
    expect(unitsOf("TransactWriteItems")).toMatchObject({ write_units: 4 });
    await cloud.put("team#1", 9000);
    await cloud.query("pk = :key");
    expect(unitsOf("Query")).toMatchObject({ read_units: 1.5 });
    const requests = ["user#b1", "user#b2"].map((pk) => ({ PutRequest: { Item: { pk, sk: "user" } } }));
    await cloud.documents.send(new BatchWriteCommand({ RequestItems: { [cloud.table.name]: requests } }));
    expect(unitsOf("BatchWriteItem")).toEqual({ requests: 1, read_units: 0, write_units: 2 });
  });

  test("counts queue and bus requests by operation", async () => {
    const queue = cloud.resource("AWS::SQS::Queue");
    const client = sendAs(cloud.putUser, new SQSClient());
    const send = (MessageBody: string) => client.send(new SendMessageCommand({ QueueUrl: queue.ref, MessageBody }));
    await send("x");
    await send("x");
    await expect(send("lost"), "a refused request counts too").rejects.toThrow("no such queue");
    expect(cloud.meter.snapshot().queues).toEqual({ [queue.name]: { SendMessage: { requests: 3 } } });
  });
});
