import { BatchGetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import { directoryTable, eventTable } from "../../../lib/contract/resources.ts";
import { batchRead } from "../../../lib/store/read-item.ts";
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
    answers = await batchRead(dynamodb.documents, readings);
  });
  const [ofEvents, ofDirectory] = [{ name: "of the events" }, { name: "of the directory" }];
  expect(answers).toEqual([ofEvents, ofDirectory, undefined, ofDirectory]);
  expect(asked.toSorted()).toEqual([[directoryTable.name], [eventTable.name]].toSorted());
});

test("an empty list of reads sends no request", async () => {
  expect(await tablesAsked(() => batchRead(dynamodb.documents, []))).toEqual([]);
});
