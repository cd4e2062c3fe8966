import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Flood, floods } from "../../neighbours/floods.ts";
import { measureFlood } from "../../neighbours/measure-flood.ts";
import { MemoryTable } from "../../neighbours/table/memory-table.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

let dynamodb: TestDynamodb;
beforeAll(async () => {
  dynamodb = await startDynamodb();
});
afterAll(() => dynamodb.stop());

const keyOf = ({ pk, sk }: Record<string, unknown>) => `${pk} ${sk}`;

/** What both tables must answer alike: items in the order of their keys, and the items that explain a failed condition. */
function comparable(answer: unknown): unknown {
  if (answer instanceof ConditionalCheckFailedException) {
    const texts = Object.entries(answer.Item ?? {}).flatMap(([name, { S, N }]) => (S || N ? [[name, S ?? N]] : []));
    return { failed: Object.fromEntries(texts) };
  }
  const { Attributes, Item, Items, Responses } = answer as Record<string, Record<string, unknown>>;
  const many = (Items ?? Object.values(Responses ?? {}).flat()) as Record<string, unknown>[];
  return { Attributes, Item, many: [...many].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)) };
}

/** Runs a small flood. @returns the requests to its table, with their answers. */
async function recordRun(flood: Flood) {
  const answers = vi.spyOn(MemoryTable.prototype, "answer");
  await measureFlood({ seed: 3, teams: 2, perSecond: 2, warmUpS: 2, windowS: 20, share: 0.0004 }, flood);
  const { calls, results } = answers.mock;
  vi.restoreAllMocks();
  return calls.map(([command], index) => ({ command, answer: results[index]?.value }));
}

test("the table of a simulation answers each request of a run as the engine does", { tags: "deep" }, async () => {
  const kinds = new Set<string>();
  for (const flood of floods.slice(0, 2)) {
    await dynamodb.clear();
    for (const { command, answer } of await recordRun(flood)) {
      const found = await dynamodb.documents.send(command as never).catch((error) => error);
      expect(comparable(found), JSON.stringify(command.input)).toEqual(comparable(answer));
      const { name } = command.constructor;
      kinds.add(found instanceof ConditionalCheckFailedException ? `${name} refused` : name);
    }
  }
  expect([...kinds].toSorted()).toEqual([
    "BatchGetCommand",
    "GetCommand",
    "PutCommand",
    "QueryCommand",
    "UpdateCommand",
    "UpdateCommand refused",
  ]);
});
