import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { summaryTable } from "../../../lib/contract/resources.ts";
import { activity } from "../../../lib/domain/summaries/activity.ts";
import { SummaryStore } from "../../../lib/store/summaries/summaries.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";
import { createUserCiphers } from "../../support/user-ciphers.ts";

let dynamodb: TestDynamodb;
beforeAll(async () => {
  dynamodb = await startDynamodb();
});
afterAll(() => dynamodb.stop());

const scope = TeamScope.grant("7ea70000-0000-4000-8000-000000000001");
const DAY = "2026-03-01";

/** The steps of up to five batches in receive order, and their order of consumption. */
const history = fc.array(fc.nat(1), { minLength: 1, maxLength: 5 }).chain((steps) => {
  const places = steps.map((_, place) => place);
  const order = fc.shuffledSubarray(places, { minLength: places.length });
  const again = fc.shuffledSubarray(places);
  return fc.record({ steps: fc.constant(steps), order, again });
});

test("the summary received last wins, regardless of consumption order and redelivery", { tags: "deep" }, async () => {
  const store = new SummaryStore(new Table(dynamodb.documents, summaryTable.name), createUserCiphers());
  let run = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ steps, order, again }) => {
      const userId = `user ${++run}`;
      const pending = new Set(order);
      for (const place of [...order, ...again]) {
        const accepted = { key: DAY, providerId: null, fields: { calendar_date: DAY, steps: steps[place] } };
        const incoming = {
          userId,
          kind: activity,
          provider: "oura",
          sourceType: "ring",
          deviceId: null,
          appId: null,
          accepted,
        };
        const isLatest = async () => ![...pending].some((other) => other < place);
        await store.merge(scope, incoming, { receivedAt: place, receiptId: `receipt ${place}` }, isLatest);
        pending.delete(place);
      }
      const [record] = await store.list(scope, userId, activity, { from: DAY, to: DAY });
      expect(record?.fields.steps).toBe(steps.at(-1));
    }),
    { numRuns: 150 },
  );
});
