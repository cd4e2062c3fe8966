import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { eventTable } from "../../../lib/contract/resources.ts";
import { Table } from "../../../lib/store/table.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const key = { pk: "pk", sk: "sk" };
const addOne = { UpdateExpression: "ADD n :one", ExpressionAttributeValues: { ":one": 1 } };

interface HttpHandler {
  handle(...request: readonly unknown[]): Promise<unknown>;
}

let dynamodb: TestDynamodb;
let table: Table;
let http: HttpHandler;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  table = new Table(dynamodb.documents, eventTable.name);
  http = dynamodb.documents.config.requestHandler as unknown as HttpHandler;
});
beforeEach(async () => {
  // The client waits a random part of a second before it sends a request again.
  vi.spyOn(Math, "random").mockReturnValue(0);
  await table.put({ ...key, n: 0 });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => dynamodb.stop());

const answered = (statusCode: number, name: string) => async () => ({
  response: { statusCode, headers: {}, body: Readable.from([JSON.stringify({ __type: `x#${name}`, message: "" })]) },
});
const lost = async () => {
  throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
};

/** Lets the first request take effect or not, and answers it with a failure. @returns the number of requests. */
function failFirst(takesEffect: boolean, fail: () => Promise<unknown>): () => number {
  const handle = http.handle.bind(http);
  const sent = vi.spyOn(http, "handle").mockImplementationOnce(async (...request) => {
    if (takesEffect) await handle(...request);
    return fail();
  });
  return () => sent.mock.calls.length;
}

const stored = async () => {
  vi.restoreAllMocks();
  const { n } = await table.update(key, {
    UpdateExpression: "SET seen = :one",
    ExpressionAttributeValues: { ":one": 1 },
  });
  return n;
};

test.each([
  ["a lost answer", lost],
  ["an internal error", answered(500, "InternalServerError")],
])("a change that must happen once is not sent again after %s", async (_, fail) => {
  const requests = failFirst(true, fail);
  await expect(table.updateOnce(key, addOne)).rejects.toThrow("the outcome of a write is unknown");
  expect(requests()).toBe(1);
  expect(await stored()).toBe(1);
});

test.each([
  ["throttling", answered(400, "ThrottlingException")],
  ["a lack of throughput", answered(400, "ProvisionedThroughputExceededException")],
])("a change that must happen once is sent again after %s, which refuses it", async (_, fail) => {
  const requests = failFirst(false, fail);
  expect(await table.updateOnce(key, addOne)).toMatchObject({ n: 1 });
  expect(requests()).toBe(2);
});

test("another change is sent again after a lost answer", async () => {
  const requests = failFirst(true, lost);
  expect(await table.update(key, addOne)).toMatchObject({ n: 2 });
  expect(requests()).toBe(2);
});
