import { BatchGetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import { directoryTable, eventTable } from "../../../lib/contract/resources.ts";
import { ReadCollector } from "../../../lib/store/read-collector.ts";
import { Table } from "../../../lib/store/table.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const item = z.object({ name: z.string() });
const key = (name: string) => ({ pk: `thing#${name}`, sk: "thing" });

let dynamodb: TestDynamodb;
beforeAll(async () => {
  dynamodb = await startDynamodb();
});
afterAll(() => dynamodb.stop());

/** The tables in each BatchGetItem while `act` runs. */
async function tablesAsked(act: () => Promise<unknown>): Promise<string[][]> {
  const sent = vi.spyOn(dynamodb.documents, "send");
  try {
    await act();
    const inputs = sent.mock.calls.flatMap(([command]) => (command instanceof BatchGetCommand ? [command.input] : []));
    return inputs.map(({ RequestItems = {} }) => Object.keys(RequestItems));
  } finally {
    sent.mockRestore();
  }
}

test("items of several tables are read with one request per table and returned in order", async () => {
  const users = new Table(dynamodb.documents, directoryTable.name);
  const events = new Table(dynamodb.documents, eventTable.name);
  await users.put({ ...key("same"), name: "of the directory" });
  await events.put({ ...key("same"), name: "of the events" });
  const readings = [
    events.readItem(key("same"), item),
    users.readItem(key("same"), item),
    events.readItem(key("missing"), item),
    users.readItem(key("same"), item),
  ] as const;
  let answers: unknown;
  const asked = await tablesAsked(async () => {
    answers = await new ReadCollector(() => dynamodb.documents).read(readings);
  });
  const [ofEvents, ofDirectory] = [{ name: "of the events" }, { name: "of the directory" }];
  expect(answers).toEqual([ofEvents, ofDirectory, undefined, ofDirectory]);
  expect(asked.toSorted()).toEqual([[directoryTable.name], [eventTable.name]].toSorted());
});

test("an empty list of reads sends no request", async () => {
  expect(await tablesAsked(() => new ReadCollector(() => dynamodb.documents).read([]))).toEqual([]);
});

test("concurrent reads share one request per table and read a common item once", async () => {
  const things = new Table(dynamodb.documents, directoryTable.name);
  const names = Array.from({ length: 120 }, (_, place) => `shared ${place}`);
  for (const name of names) await things.put({ ...key(name), name });
  const collector = new ReadCollector(() => dynamodb.documents);
  const read = (name: string) =>
    collector.read([things.readItem(key(name), item), things.readItem(key("shared 0"), item)]);
  let answers: unknown[] = [];
  const asked = await tablesAsked(async () => {
    answers = await Promise.all([...names, "missing"].map(read));
  });
  const shared = { name: "shared 0" };
  expect(answers).toEqual([...names.map((name) => [{ name }, shared]), [undefined, shared]]);
  // 121 keys, at most 100 in a request.
  expect(asked).toEqual([[directoryTable.name], [directoryTable.name]]);
});

test("a read after others sees what was written in between", async () => {
  const things = new Table(dynamodb.documents, directoryTable.name);
  const collector = new ReadCollector(() => dynamodb.documents);
  const read = () => collector.read([things.readItem(key("changed"), item)]);
  expect(await read()).toEqual([undefined]);
  await things.put({ ...key("changed"), name: "new" });
  expect(await read()).toEqual([{ name: "new" }]);
});

test("an item that one read cannot parse fails that read alone", async () => {
  const things = new Table(dynamodb.documents, directoryTable.name);
  await things.put({ ...key("odd"), name: 7 });
  await things.put({ ...key("even"), name: "even" });
  const collector = new ReadCollector(() => dynamodb.documents);
  const read = (name: string) => collector.read([things.readItem(key(name), item)]);
  const [odd, even] = await Promise.allSettled([read("odd"), read("even")]);
  expect(odd.status).toBe("rejected");
  expect(even).toEqual({ status: "fulfilled", value: [{ name: "even" }] });
});
