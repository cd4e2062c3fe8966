// @module-tag share
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NO_RECORDER, type Recorder } from "../../../../lib/store/recorder-key.ts";
import { chooseCount } from "../../../support/depth.ts";
import { beats, device, type ReadBeat, RecorderFixture, T0 } from "./recorder-fixture.ts";

let on: RecorderFixture;
beforeAll(async () => {
  on = await RecorderFixture.open();
});
afterAll(() => on.dynamodb.stop());

const LEGACY_BEATS = 2;
const recorders: readonly Recorder[] = [
  device("a"),
  device("b"),
  { deviceId: "a", appId: "x" },
  { deviceId: null, appId: "x" },
];

/** A batch with at most three samples in a row; null deletes. */
interface Batch {
  readonly from: Recorder;
  readonly second: number;
  readonly values: readonly (number | null)[];
  readonly expectNew: boolean;
}

const batchOf = (allowed: readonly Recorder[]): fc.Arbitrary<Batch> =>
  fc.record({
    from: fc.constantFrom(...allowed),
    second: fc.nat(2),
    values: fc.array(fc.option(fc.nat(3), { freq: 4 }), { minLength: 1, maxLength: 3 }),
    expectNew: fc.boolean(),
  });

/** Batches in order of receipt, the order in which they are consumed, and the request before which each attempt crashes. */
const historyOf = (allowed: readonly Recorder[]) =>
  fc.array(batchOf(allowed), { minLength: 1, maxLength: 8 }).chain((all) =>
    fc.record({
      all: fc.constant(all),
      order: fc.array(fc.nat(all.length - 1), { maxLength: 14 }),
      crashes: fc.array(fc.nat(4), { maxLength: 10 }),
    }),
  );

/** The samples that the batches received up to a place leave. @param isOld whether a second is in a legacy chunk. */
function modelOf(all: readonly Batch[], isOld: (second: number) => boolean): ReadBeat[] {
  const known = new Map<string, ReadBeat>();
  for (const { from, second, values } of all)
    for (const [index, value] of values.entries()) {
      const owner = isOld(second + index) ? NO_RECORDER : from;
      known.set(JSON.stringify([second + index, owner]), { second: second + index, value, ...owner });
    }
  return [...known.values()].filter(({ value }) => value !== null);
}

const byName = (all: readonly ReadBeat[]) => all.map((beat) => JSON.stringify(Object.values(beat))).sort();
const inOrder = ({ second, value, deviceId, appId }: ReadBeat) => ({ second, value, deviceId, appId });

/** Consumes each batch at least once; an attempt that crashes is repeated at the end. */
async function consume(
  userId: string,
  { all, order, crashes }: { all: readonly Batch[]; order: readonly number[]; crashes: readonly number[] },
): Promise<number[]> {
  const receipts = all.map(() => on.nextReceipt());
  const rest = [...crashes];
  const attempt = async (place: number) => {
    const { from, second, values, expectNew } = all[place] as Batch;
    let left = rest.shift() ?? Number.POSITIVE_INFINITY;
    on.onRequest = () => {
      if (left-- <= 0) throw new Error("crash");
    };
    const samples = beats(values, T0 + second * 1_000);
    try {
      await on.merge(userId, from, samples, { receipt: receipts[place] ?? on.nextReceipt(), expectNew });
    } finally {
      on.onRequest = () => undefined;
    }
  };
  for (const place of order) await attempt(place).catch(ignoreCrash);
  rest.length = 0;
  for (const place of all.keys()) await attempt(place);
  return receipts.map(({ receivedAt }) => receivedAt);
}

function ignoreCrash(error: Error): void {
  if (error.message !== "crash") throw error;
}

test.each([
  ["of this version", [...recorders, NO_RECORDER], 0],
  ["with samples of the version before", recorders, LEGACY_BEATS],
] as const)(
  "any order of batches, repetitions and crashes %s leaves the value received last of each recorder",
  { tags: "deep" },
  async (_, allowed, old) => {
    await fc.assert(
      fc.asyncProperty(historyOf(allowed), async (history) => {
        const userId = on.newUser();
        const before: Batch = { from: NO_RECORDER, second: 0, values: [60, 61].slice(0, old), expectNew: false };
        if (old > 0) await on.mergeAsBefore(userId, beats(before.values));
        const instants = await consume(userId, history);
        const model = (count: number) =>
          byName(modelOf([before, ...history.all.slice(0, count)], (second) => second < old).map(inOrder));
        expect(byName(await on.read(userId))).toEqual(model(history.all.length));
        for (const [index, instant] of instants.entries())
          expect(byName(await on.read(userId, instant))).toEqual(model(index + 1));
      }),
      { numRuns: chooseCount(15, 60) },
    );
  },
);
