import { readFileSync } from "node:fs";
import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CALLER_HEADER } from "../../../../../lib/local/aws-proxy/aws-request.ts";
import { readFunctions } from "../../../../../lib/local/template/read-functions.ts";
import { TestService } from "../../../../support/service.ts";
import { findFunctionName, findItemsContaining } from "../../support/stored-items.ts";

const DENIED = /^AccessDeniedException/;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Sends a DynamoDB request through the AWS proxy under the role of a contract's function. */
async function asFunction(operationId: string, call: (client: DynamoDBClient) => Promise<unknown>) {
  const client = new DynamoDBClient({
    endpoint: service.cloud.awsProxy.origin,
    region: service.cloud.assembly.region,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const caller = findFunctionName(service, operationId);
  client.middlewareStack.add(
    (next) => (sent) => {
      const { headers } = sent.request as { headers: Record<string, string> };
      headers[CALLER_HEADER] = caller;
      return next(sent);
    },
    { step: "build" },
  );
  const outcome = await call(client).then(
    () => "allowed",
    (error: Error) => `${error.name}: ${error.message}`,
  );
  client.destroy();
  return outcome;
}

const directory = () => process.env.TABLE_DIRECTORY ?? "";
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: "user" } });

test("a handler under a role without its grants gets no data and answers 500", async () => {
  const name = findFunctionName(service, "getUser");
  const original = readFunctions(service.cloud.assembly).find((fn) => fn.name === name);
  if (!original) throw new Error("no function getUser");
  const intruder = { ...original, name: "getUserWithoutGrants", arn: `${original.arn}-without-grants` };
  service.cloud.host.register(intruder);
  const userId = await service.createUser("guarded");
  const before = service.observed.size;
  const event = {
    headers: { "x-service-api-key": service.identity.api_key },
    pathParameters: { user_id: userId },
    rawPath: `/v2/user/${userId}`,
    rawQueryString: "",
    requestContext: { requestId: "r-1" },
  };
  const answer = (await service.cloud.host.invoke(intruder.arn, event)) as { statusCode: number; body: string };
  expect([answer.statusCode, JSON.parse(answer.body).code]).toEqual([500, "internal_error"]);
  expect(answer.body).not.toContain("guarded");
  expect([...service.observed].slice(before).join()).not.toContain("WithoutGrants");
  const log = readFileSync(service.data.file("functions.log"), "utf8");
  expect(log.split("\n").find((line) => line.startsWith("getUserWithoutGrants"))).toContain("AccessDenied");
});

test("an undeclared action is denied by name", async () => {
  const outcome = await asFunction("getUser", (client) =>
    client.send(new PutItemCommand({ TableName: directory(), Item: key("user#t#u") })),
  );
  expect(outcome).toMatch(/^AccessDeniedException: /);
  expect(outcome).toContain("dynamodb:PutItem");
  expect(outcome).toContain(findFunctionName(service, "getUser"));
});

test("a declared action reaches only the entities that it was declared for", async () => {
  const read = (pk: string) =>
    asFunction("getUser", (client) => client.send(new GetItemCommand({ TableName: directory(), Key: key(pk) })));
  expect(await read("user#t#u")).toBe("allowed");
  expect(await read("key#k")).toBe("allowed");
  expect(await read("client_user#t#reference")).toMatch(DENIED);
  expect(await read("org#o")).toMatch(DENIED);
});

test("a transaction needs the permissions of all its parts", async () => {
  const TableName = directory();
  const put = (pk: string) => ({ Put: { TableName, Item: key(pk) } });
  const transact = (...TransactItems: ReturnType<typeof put>[]) =>
    asFunction("createUser", (client) => client.send(new TransactWriteItemsCommand({ TransactItems })));
  expect(await transact(put("user#t#a"), put("team#t"))).toMatch(DENIED);
  expect(await findItemsContaining(service, "user#t#a")).toEqual([]);
  expect(await transact(put("user#t#a"), put("client_user#t#a"))).toBe("allowed");
});

test("a function cannot scan, read another table, or read an undeclared index", async () => {
  const TableName = directory();
  const otherIndex = new QueryCommand({
    TableName,
    IndexName: "due",
    KeyConditionExpression: "due_shard = :s",
    ExpressionAttributeValues: { ":s": { S: "user#deletions" } },
  });
  const otherTable = new GetItemCommand({ TableName: process.env.TABLE_SAMPLES ?? "", Key: key("chunk#t#u#steps") });
  expect(await asFunction("listUsers", (client) => client.send(new ScanCommand({ TableName })))).toMatch(DENIED);
  expect(await asFunction("getUser", (client) => client.send(otherTable))).toMatch(DENIED);
  expect(await asFunction("listUsers", (client) => client.send(otherIndex))).toMatch(DENIED);
  expect(await asFunction("sweepDeletions", (client) => client.send(otherIndex))).toBe("allowed");
});

test("a request without a caller is refused", async () => {
  const response = await fetch(service.cloud.awsProxy.origin, {
    method: "POST",
    headers: { "x-amz-target": "DynamoDB_20120810.ListTables" },
    body: "{}",
  });
  expect(response.status).toBe(400);
});
