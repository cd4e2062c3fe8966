import { afterAll, beforeAll, expect, test } from "vitest";
import { MINUTE_MS } from "../../../../lib/domain/shared/durations.ts";
import { setPorts } from "../../../../lib/runtime/ports.ts";
import type { PayloadPlace } from "../../../../lib/store/connections/payload-order.ts";
import { createReceiptId } from "../../../../lib/store/ingest/receipt-id.ts";
import { startDynamodb, type TestDynamodb } from "../../../support/dynamodb.ts";
import { StoringService, scope } from "./storing-service.ts";

const BEGIN = Date.UTC(2026, 4, 20, 12);
const [PULLS, PAGES] = [30, 25];
const iso = (ms: number) => new Date(ms).toISOString();

let database: TestDynamodb;
let service: StoringService;
const received: PayloadPlace[] = [];
beforeAll(async () => {
  database = await startDynamodb();
  await database.clear();
  setPorts({ clock: { now: () => BEGIN } });
  service = new StoringService();
  service.addUser("user", "oura", "ada");
  const about = {
    provider: "oura",
    resource: "sleep",
    target: null,
    account_id: null,
    method: "GET",
    url: "https://x",
  };
  // A pull starts every minute, and its pages arrive within 14 minutes, so pulls overlap; each second one has two pages.
  for (let pull = 0; pull < PULLS; pull++) {
    const id = createReceiptId(BEGIN + pull * MINUTE_MS, pull.toString(16).padStart(8, "0"));
    for (let page = 1; page <= (pull % 2 === 0 ? PAGES : 2); page++) {
      const received_at = iso(BEGIN + pull * MINUTE_MS + Math.round((page * 14 * MINUTE_MS) / PAGES));
      const payload_id = `${id}.${String(page).padStart(4, "0")}`;
      const rest = { form: null, status: 200, content_type: null, bytes: 1, received_at };
      await service.rawPayloads.put(
        scope,
        "user",
        { payload_id, ...about, ...rest },
        Buffer.from(payload_id),
        BEGIN * 2,
      );
      received.push([received_at, payload_id]);
    }
  }
});
afterAll(() => database.stop());

async function listAll(filter: { fromMs?: number; toMs?: number }, limit: number): Promise<PayloadPlace[]> {
  const found: PayloadPlace[] = [];
  for (let after: PayloadPlace | undefined; ; ) {
    const { items, last } = await service.rawPayloads.list(scope, "user", filter, after, limit, BEGIN);
    found.push(...items.map(({ received_at, payload_id }): PayloadPlace => [received_at, payload_id]));
    if (!last) return found;
    after = last;
  }
}

const newestFirst = (places: readonly PayloadPlace[]) =>
  places.toSorted((one, other) => (one.join() < other.join() ? 1 : -1));

test.each([7, 50, 100])(
  "pages of %d list each payload once in the order of receipt, whatever pull it is of",
  async (limit) => {
    expect(await listAll({}, limit)).toEqual(newestFirst(received));
  },
);

test.each([
  [12, undefined],
  [undefined, 12],
  [9, 21],
  [21, 9],
])("payloads received from minute %s to %s are listed, also of pulls that began before", async (from, to) => {
  const atMinute = (minute: number | undefined) => (minute === undefined ? undefined : BEGIN + minute * MINUTE_MS);
  const [fromMs, toMs] = [atMinute(from), atMinute(to)];
  const wanted = received.filter(
    ([at]) => (fromMs === undefined || at >= iso(fromMs)) && (toMs === undefined || at < iso(toMs)),
  );
  const filter = { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
  expect(await listAll(filter, 20)).toEqual(newestFirst(wanted));
});

test("a time far in the future finds nothing", async () => {
  expect(await listAll({ fromMs: Date.UTC(9999, 0) }, 20)).toEqual([]);
});
