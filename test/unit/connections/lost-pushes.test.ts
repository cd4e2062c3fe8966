import { expect, test } from "vitest";
import { comparePushes, type UnpushedData } from "../../../lib/domain/connections/health/unpushed-data.ts";
import { createSeededRandom } from "../../../lib/simulators/demo/seeded-random.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse("2026-05-01T00:00:00Z");
const DAYS = 30;
const ACCOUNTS = 500;
const RHYTHM_MS = 60 * HOUR_MS;
/** A push reaches the provider's subscribers at most this long after its data. */
const MAX_DELAY_MS = 30 * HOUR_MS;

/** A night of an account: its time, when the provider has it, and when its push arrives; undefined if it is lost. */
interface Night {
  readonly atMs: number;
  readonly knownMs: number;
  readonly pushedMs: number | undefined;
}

const random = createSeededRandom(20_260_501);

/** Draws the nights of an account. The device is off for some days, and uploads some nights a day late. */
function drawNights(account: number, lostFromMs: number): Night[] {
  const draw = (name: string, day: number) => random(`${name} ${account}`, day);
  const zoneMs = (Math.floor(draw("zone", 0) * 27) - 12) * HOUR_MS;
  return Array.from({ length: DAYS }, (_, day) => day).flatMap((day): Night[] => {
    if (draw("unworn", Math.floor(day / 3)) < 0.2) return [];
    const atMs = START + day * DAY_MS - zoneMs - 2 * HOUR_MS + draw("bed", day) * 3 * HOUR_MS;
    const uploadMs = atMs + 8 * HOUR_MS + draw("upload", day) * 2 * HOUR_MS + (draw("late", day) < 0.2 ? DAY_MS : 0);
    const pushedMs = uploadMs + draw("push", day) ** 4 * MAX_DELAY_MS;
    return [{ atMs, knownMs: uploadMs, pushedMs: uploadMs >= lostFromMs ? undefined : pushedMs }];
  });
}

/** Runs the polls of an account. @returns when its pushes were found lost, and the latest permitted instant. */
function judge(account: number, lostFromMs: number): { foundMs: number | undefined; dueMs: number | undefined } {
  const nights = drawNights(account, lostFromMs);
  const newest = (all: readonly number[]) => (all.length > 0 ? new Date(Math.max(...all)).toISOString() : undefined);
  let unpushed: UnpushedData = {};
  const first = START + random(`poll ${account}`, 0) * DAY_MS;
  for (let nowMs = first; nowMs < START + DAYS * DAY_MS; ) {
    const pulled = nights.filter(({ atMs, knownMs }) => knownMs <= nowMs && atMs >= nowMs - 3 * DAY_MS);
    const pushed = newest(nights.filter(({ pushedMs = Infinity }) => pushedMs <= nowMs).map(({ atMs }) => atMs));
    const end_date = newest(pulled.map(({ atMs }) => atMs));
    const statistics = { oldest: "", newest: "", sent_count: 1, ...(pushed ? { pushed_newest: pushed } : {}) };
    const ranges = end_date ? { sleep: { start_date: end_date, end_date } } : {};
    const compared = comparePushes("oura", unpushed, ranges, { sleep: statistics }, nowMs);
    if (compared.lost.length > 0) return { foundMs: nowMs, dueMs: dueOf(nights) };
    unpushed = compared.unpushed;
    nowMs = Math.min(nowMs + DAY_MS, compared.againAtMs ?? Number.POSITIVE_INFINITY);
  }
  return { foundMs: undefined, dueMs: dueOf(nights) };
}

/** The rhythm begins when the provider has the first newer night whose push is lost, if it ever pushed a night. */
function dueOf(nights: readonly Night[]): number | undefined {
  const pushed = Math.max(...nights.filter(({ pushedMs }) => pushedMs !== undefined).map(({ atMs }) => atMs));
  const lost = nights.filter(({ atMs, pushedMs }) => pushedMs === undefined && atMs > pushed);
  return lost.length > 0 && Number.isFinite(pushed)
    ? Math.min(...lost.map(({ knownMs }) => knownMs)) + RHYTHM_MS
    : undefined;
}

const accounts = Array.from({ length: ACCOUNTS }, (_, account) => account);

test("500 accounts whose pushes all arrive, late or not, are never stale in 30 days", () => {
  const alarms = accounts.filter((account) => judge(account, Number.POSITIVE_INFINITY).foundMs !== undefined);
  console.info(`${ACCOUNTS} accounts, ${DAYS} days, all pushes arrive: ${alarms.length} false alarms`);
  expect(alarms).toEqual([]);
});

test("500 accounts whose pushes end on a day are found within the rhythm", () => {
  const lostFrom = (account: number) => START + (8 + Math.floor(random(`lost ${account}`, 0) * 14)) * DAY_MS;
  const judged = accounts.map((account) => ({ ...judge(account, lostFrom(account)), lostMs: lostFrom(account) }));
  const delays = judged.flatMap(({ foundMs, dueMs }) =>
    foundMs !== undefined && dueMs !== undefined ? [(foundMs - dueMs + RHYTHM_MS) / HOUR_MS] : [],
  );
  const sorted = delays.toSorted((one, other) => one - other);
  console.info(
    `${ACCOUNTS} accounts, pushes end: found ${delays.length}, median ${sorted[Math.floor(sorted.length / 2)]?.toFixed(1)} h, last ${sorted.at(-1)?.toFixed(1)} h`,
  );
  const due = judged.filter(({ dueMs = Number.POSITIVE_INFINITY }) => dueMs <= START + DAYS * DAY_MS);
  expect(due.length).toBeGreaterThan(ACCOUNTS * 0.95);
  expect(due.filter(({ foundMs }) => foundMs === undefined)).toEqual([]);
  expect(Math.max(...delays)).toBeLessThanOrEqual(60);
  expect(judged.filter(({ foundMs = Number.POSITIVE_INFINITY, lostMs }) => foundMs < lostMs)).toEqual([]);
});
