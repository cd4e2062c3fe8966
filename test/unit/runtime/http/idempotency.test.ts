import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { contract } from "../../../../functions/appointments/book-psc-appointment.ts";
import { labTable } from "../../../../lib/contract/resources.ts";
import { NotPossible, Unavailable } from "../../../../lib/runtime/errors.ts";
import { runOncePerKey } from "../../../../lib/runtime/http/idempotency.ts";
import { IdempotencyStore } from "../../../../lib/store/idempotency.ts";
import { Table } from "../../../../lib/store/table.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import { commit } from "../../../../lib/store/transaction.ts";
import { startDynamodb, type TestDynamodb } from "../../../support/dynamodb.ts";

let dynamodb: TestDynamodb;
let requests: IdempotencyStore;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  requests = new IdempotencyStore(new Table(dynamodb.documents, labTable.name));
});
beforeEach(() => dynamodb.clear());
afterAll(() => dynamodb.stop());

type Plan = Parameters<typeof runOncePerKey>[2];

const send = (plan: Plan, more: Readonly<Record<string, string>> = {}) => {
  const headers = { "x-idempotency-key": "one", ...more };
  const scope = TeamScope.grant("a team");
  return runOncePerKey({ contract, scope, headers, body: {}, retentionMs: 60_000 }, requests, plan);
};

/** The plan of the copy that takes effect. */
const effect: Plan = async () => ({
  userId: "a user",
  answer: { id: "the booking" },
  write: (more) => commit(dynamodb.documents, more),
});

/** The plan of a copy that another one overtakes, and which then sees the effect of that one. */
const overtaken =
  (error: Error): Plan =>
  async () => {
    await send(effect);
    throw error;
  };

test.each([
  ["a refusal", {}],
  ["a refusal that is not to be stored", { "x-idempotency-error": "no-cache" }],
])("a request that gets %s by the effect of its concurrent copy returns the response of that copy", async (_, more) => {
  const { text } = await send(overtaken(new NotPossible("This time is already booked.")), more);
  expect(text).toBe('{"id":"the booking"}');
});

test("a temporary error after the effect of a concurrent copy returns the response of that copy", async () => {
  expect((await send(overtaken(new Unavailable("Try again.")))).text).toBe('{"id":"the booking"}');
});

test("the first of two concurrent refusals answers both requests", async () => {
  const refuse = (detail: string) => async () => {
    throw new NotPossible(detail);
  };
  const second: Plan = async () => {
    await expect(send(refuse("the first"))).rejects.toThrow("the first");
    throw new NotPossible("the second");
  };
  await expect(send(second)).rejects.toThrow("the first");
  await expect(send(effect)).rejects.toThrow("the first");
});

test("an error of a request without a copy is its response", async () => {
  await expect(send(() => Promise.reject(new Unavailable("Try again.")))).rejects.toThrow(Unavailable);
  await expect(send(() => Promise.reject(new Error("a defect")))).rejects.toThrow("a defect");
  expect((await send(effect)).text).toBe('{"id":"the booking"}');
});
