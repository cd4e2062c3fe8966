import type { BatchExecuteStatementCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { directoryTable } from "../../../lib/contract/resources.ts";
import { ConditionFailed } from "../../../lib/store/condition-failed.ts";
import { InsertBatcher } from "../../../lib/store/insert-batcher.ts";
import { Table } from "../../../lib/store/table.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

let dynamodb: TestDynamodb;
let table: Table;
let inserts: InsertBatcher;
/** The sizes of batch requests, and the number of single writes. */
let sent: { many: number[]; alone: number };
beforeAll(async () => {
  dynamodb = await startDynamodb();
});
afterAll(() => dynamodb.stop());
beforeEach(() => {
  table = new Table(dynamodb.documents, directoryTable.name);
  inserts = new InsertBatcher(table);
  sent = { many: [], alone: 0 };
  const send = dynamodb.documents.send.bind(dynamodb.documents);
  vi.spyOn(dynamodb.documents, "send").mockImplementation(async (command) => {
    const { input } = command as unknown as BatchExecuteStatementCommand;
    if (input.Statements) sent.many.push(input.Statements.length);
    else if ("Item" in input) sent.alone += 1;
    return send(command);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await dynamodb.clear();
});

const item = (n: number, bytes = 30) => ({ pk: `p#${n % 3}`, sk: `s#${n}`, b: Buffer.alloc(bytes, n), v: 1 });
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const stored = z.object({ pk: z.string(), sk: z.string(), b: z.instanceof(Uint8Array), v: z.int() });
const read = ({ pk, sk }: { pk: string; sk: string }) => table.get({ pk, sk }, stored);

test("concurrent inserts are written in requests of 25", async () => {
  await Promise.all(numbers(60).map((n) => inserts.insert(item(n))));
  expect(sent).toEqual({ many: [25, 25, 10], alone: 0 });
  const found = await Promise.all(numbers(60).map((n) => read(item(n))));
  expect(found.map((one) => [one?.sk, one?.b[0], one?.v])).toEqual(numbers(60).map((n) => [`s#${n}`, n, 1]));
});

test("an item with an existing key is rejected, the others are written, and nothing is overwritten", async () => {
  await inserts.insert({ ...item(2), v: 7 });
  const outcomes = await Promise.allSettled(numbers(5).map((n) => inserts.insert(item(n))));
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  expect(outcomes[2]).toMatchObject({ reason: expect.any(ConditionFailed) });
  expect(await read(item(2))).toMatchObject({ v: 7 });
  await expect(inserts.insertSingle(item(3))).rejects.toBeInstanceOf(ConditionFailed);
});

test("one of several concurrent items with one key is written, without delaying the others", async () => {
  const outcomes = await Promise.allSettled([1, 2, 1, 3, 1].map((n) => inserts.insert(item(n))));
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(2);
  expect([outcomes[1]?.status, outcomes[3]?.status]).toEqual(["fulfilled", "fulfilled"]);
  expect(await read(item(1))).toMatchObject({ v: 1 });
});

test("long items are written individually", async () => {
  await Promise.all([inserts.insert(item(1)), inserts.insert(item(2, 50_000))]);
  expect(sent).toEqual({ many: [1], alone: 1 });
  expect((await read(item(2)))?.b).toHaveLength(50_000);
});

test.each([
  ["is temporarily rejected", [{}, { Error: { Code: "ThrottlingError" } }]],
  ["is missing from the response", [{}]],
])("an item that %s is written individually", async (_, Responses) => {
  vi.mocked(dynamodb.documents.send).mockImplementationOnce(async () => ({ Responses }) as never);
  await Promise.all([inserts.insert(item(1)), inserts.insert(item(2))]);
  expect(sent).toEqual({ many: [], alone: 1 });
  expect([await read(item(1)), (await read(item(2)))?.sk]).toEqual([undefined, "s#2"]);
});

test("a failed request fails all of its items and no later item", async () => {
  vi.mocked(dynamodb.documents.send).mockImplementationOnce(async () => Promise.reject(new Error("gone")));
  const outcomes = await Promise.allSettled(numbers(3).map((n) => inserts.insert(item(n))));
  expect(outcomes.map((one) => String((one as PromiseRejectedResult).reason))).toEqual(
    numbers(3).map(() => "Error: gone"),
  );
  await inserts.insert(item(1));
  expect(await read(item(1))).toMatchObject({ v: 1 });
});
