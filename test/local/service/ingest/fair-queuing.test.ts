import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_ITEMS_PER_PART } from "../../../../lib/domain/ingest/split-batch.ts";
import { TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch, pageSamples, readGroupedPage, sendBatch } from "./ingest-batch.ts";

const HALF_HOUR_MS = 30 * 60_000;
const SPARSE = 6_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Creates samples that each need a chunk of their own. */
const sparse = (count: number) => createHeartRates("2024-01-01T00:10:00Z", count, HALF_HOUR_MS);

test.each(["daily", "historical"] as const)(
  "a batch of many chunks (%s) is stored in parts, and sends one event as a whole",
  { tags: "deep" },
  async (stage) => {
    const userId = await service.createUser(`parts ${stage}`);
    const count = MAX_ITEMS_PER_PART * 2 + 1;
    const receipt = await ingestBatch(service, userId, { heartrate: sparse(count) }, { stage });
    expect(receipt).toMatchObject({ status: "done", stored: count, updated: 0, unchanged: 0 });
    const events = (await service.inbox()).filter(({ body }) => body.user_id === userId);
    expect(events.length).toBeGreaterThan(0);
    const again = await ingestBatch(service, userId, { heartrate: sparse(count) }, { stage });
    expect(again).toMatchObject({ status: "done", stored: 0, updated: 0, unchanged: count });
  },
);

test("a small batch of one team does not wait behind nine large batches of another", {
  tags: "deep",
  timeout: 300_000,
}, async () => {
  const busy = await service.createTeam("Busy");
  const users = await Promise.all(
    Array.from({ length: 9 }, async (_, at) => {
      const body = { client_user_id: `heavy ${at}` };
      return (await service.call("POST", "/v2/user", { key: busy.key, body })).body.user_id as string;
    }),
  );
  const quiet = await service.createUser("quiet");
  const sent = await Promise.all(users.map((user) => sendBatch(service, user, { heartrate: sparse(SPARSE) }, busy)));
  expect(sent.map(({ status }) => status)).toEqual(Array(9).fill(202));
  const small = await sendBatch(service, quiet, { heartrate: createHeartRates("2026-05-01T08:00:00Z", 5) });
  for (;;) {
    const receipt = await service.call("GET", `/v2/ingest/${quiet}/${small.body.receipt_id}`);
    if (receipt.body.status === "done") break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const page = await readGroupedPage(service, quiet, "heartrate", { start_date: "2026-05-01", end_date: "2026-05-01" });
  expect(pageSamples(page)).toHaveLength(5);
  const pending = await service.call("GET", `/v2/ingest/${users[8]}/${sent[8]?.body.receipt_id}`, busy);
  expect(pending.body.status).toBe("pending");
});
