import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { eventTable } from "../../../lib/contract/resources.ts";
import { createReceiptId } from "../../../lib/store/ingest/receipt-id.ts";
import { ReceiptStore } from "../../../lib/store/ingest/receipts.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";
import { SeededRandom } from "../support/seeded-random.ts";

const START_MS = Date.parse("2026-03-01T12:00:00.000Z");
const HOUR_MS = 3_600_000;
const scope = TeamScope.grant("team");
const outcome = { stored: 1, updated: 0, unchanged: 0, event_ids: [] };
const iso = (ms: number) => new Date(ms).toISOString();

let dynamodb: TestDynamodb;
let table: Table;
let receipts: ReceiptStore;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  table = new Table(dynamodb.documents, eventTable.name);
  receipts = new ReceiptStore(table);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => dynamodb.stop());

interface Receipt {
  readonly id: string;
  readonly receivedAt: number;
  isPending: boolean;
}

/** The receipts of a user beside a list of what they are. */
class CheckedReceipts {
  readonly all: Receipt[] = [];
  readonly #userId: string;

  constructor(userId: string) {
    this.#userId = userId;
  }

  /** @param openedMs when the receipt is written. */
  async open(receivedAt: number, openedMs = receivedAt): Promise<Receipt> {
    const id = createReceiptId(receivedAt, String(this.all.length).padStart(16, "0"));
    await receipts.open(scope, this.#userId, id, [], iso(openedMs));
    const receipt = { id, receivedAt, isPending: true };
    this.all.push(receipt);
    return receipt;
  }

  async close(receipt: Receipt): Promise<void> {
    await receipts.close(scope, this.#userId, receipt.id, { outcome, refused: [] }, iso(receipt.receivedAt));
    receipt.isPending = false;
  }

  /** Opens and closes receipts of the milliseconds from an instant on. */
  async addClosed(fromMs: number, count: number): Promise<void> {
    for (let place = 0; place < count; place++) await this.close(await this.open(fromMs + place));
  }

  hasOlderPending({ id, receivedAt }: Receipt): Promise<boolean> {
    return receipts.hasOlderPending(scope, this.#userId, id, receivedAt);
  }

  async check(own: Receipt): Promise<void> {
    const expected = this.all.some((one) => one !== own && one.isPending && one.receivedAt <= own.receivedAt);
    expect(await this.hasOlderPending(own), own.id).toBe(expected);
  }
}

/** Items that a check reads. */
async function itemsRead(check: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(table, "query");
  await check();
  const pages = await Promise.all(query.mock.results.map(({ value }) => value as Promise<{ items: unknown[] }>));
  query.mockRestore();
  return pages.reduce((sum, { items }) => sum + items.length, 0);
}

describe("an older pending receipt", () => {
  test("is one that was received before or in the same millisecond, and not the own one", async () => {
    const user = new CheckedReceipts("simultaneous");
    const [own, twin] = [await user.open(START_MS), await user.open(START_MS)];
    const later = await user.open(START_MS + 1);
    expect(await Promise.all([own, twin, later].map((one) => user.hasOlderPending(one)))).toEqual([true, true, true]);
    await user.close(twin);
    expect(await user.hasOlderPending(own)).toBe(false);
    expect(await user.hasOlderPending(later)).toBe(true);
    await user.close(own);
    expect(await user.hasOlderPending(later)).toBe(false);
  });

  test("is found behind hundreds of closed receipts, whatever an earlier search recorded", {
    tags: "deep",
  }, async () => {
    const user = new CheckedReceipts("hundreds");
    const old = await user.open(START_MS);
    await user.addClosed(START_MS + 1, 150);
    const own = await user.open(START_MS + 3 * HOUR_MS);
    expect(await user.hasOlderPending(own)).toBe(true);
    await user.close(old);
    expect(await itemsRead(() => user.check(own))).toBe(152);
    expect(await itemsRead(() => user.check(own))).toBeLessThanOrEqual(2);
  });

  test("is still found when it opens long after its batch was received", async () => {
    const user = new CheckedReceipts("late");
    await user.addClosed(START_MS, 40);
    const own = await user.open(START_MS + HOUR_MS);
    await user.check(own);
    const late = await user.open(START_MS + 20, START_MS + HOUR_MS);
    expect(await user.hasOlderPending(own)).toBe(true);
    await user.close(late);
    expect(await user.hasOlderPending(own)).toBe(false);
  });

  test("is the own one for the batches after it, once it let closed receipts pass", async () => {
    const user = new CheckedReceipts("own");
    await user.addClosed(START_MS, 20);
    const own = await user.open(START_MS + HOUR_MS);
    await user.addClosed(START_MS + 2 * HOUR_MS, 20);
    await user.check(own);
    const next = await user.open(START_MS + 9 * HOUR_MS);
    await user.check(next);
    await user.check(own);
    expect(await user.hasOlderPending(next)).toBe(true);
  });

  test("is no receipt itself: the record of a search is neither listed nor left by an erasure", async () => {
    const user = new CheckedReceipts("erased");
    await user.addClosed(START_MS, 20);
    await user.check(await user.open(START_MS + 2 * HOUR_MS));
    expect(await receipts.get(scope, "erased", "settled")).toBeUndefined();
    expect(await receipts.getSequences(scope, "erased")).toEqual(new Map());
    expect(await receipts.eraseUser(scope, "erased")).toBe(22);
    expect(await table.countPartition("receipt#pending#team#erased")).toBe(0);
  });
});

test.each([1, 2, 3])("the search agrees with a list of all receipts (seed %i)", { tags: "deep" }, async (seed) => {
  const random = new SeededRandom(seed);
  const user = new CheckedReceipts(`seed ${seed}`);
  let nowMs = START_MS;
  await user.addClosed(nowMs - 5 * HOUR_MS, 30);
  for (let step = 0; step < 120; step++) {
    nowMs += random.pick([0, 1, 1_000, HOUR_MS / 4]);
    const delayMs = random.isWithinPercent(20) ? random.integerBelow(HOUR_MS) : 0;
    await user.open(nowMs - delayMs, nowMs);
    const pending = () => user.all.filter(({ isPending }) => isPending);
    while (pending().length > random.integerBelow(4)) await user.close(random.pick(pending()));
    const some = pending().length > 0 && random.isWithinPercent(80) ? pending() : user.all;
    await user.check(random.pick(some));
  }
});

test("a receipt that is opened again, as after a lost answer, stays as it is", async () => {
  const checked = new CheckedReceipts("repeated");
  const receipt = await checked.open(START_MS);
  await receipts.open(scope, "repeated", receipt.id, [], iso(START_MS));
  expect(await receipts.get(scope, "repeated", receipt.id)).toMatchObject({ status: "pending" });
  await checked.close(receipt);
  await receipts.open(scope, "repeated", receipt.id, [], iso(START_MS));
  expect(await receipts.get(scope, "repeated", receipt.id)).toMatchObject({ status: "done" });
});
