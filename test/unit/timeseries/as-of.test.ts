// @module-tag share
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleTable, summaryTable } from "../../../lib/contract/resources.ts";
import { activity } from "../../../lib/domain/summaries/activity.ts";
import type { SummaryKind } from "../../../lib/domain/summaries/summary-kind.ts";
import { workouts } from "../../../lib/domain/summaries/workouts.ts";
import { columnsToChunk } from "../../../lib/domain/timeseries/chunk/chunk-columns.ts";
import type { Sample } from "../../../lib/domain/timeseries/chunk/sample.ts";
import { compareSampleKeys, sampleKey } from "../../../lib/domain/timeseries/chunk/sample.ts";
import { getResource } from "../../../lib/domain/timeseries/resources.ts";
import { NO_RECORDER } from "../../../lib/store/recorder-key.ts";
import { SummaryStore } from "../../../lib/store/summaries/summaries.ts";
import { summaryPartition } from "../../../lib/store/summaries/summary-keys.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { chunkPartition } from "../../../lib/store/timeseries/chunk-key.ts";
import { ChunkStore } from "../../../lib/store/timeseries/chunks.ts";
import { chooseCount } from "../../support/depth.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";
import { createUserCiphers } from "../../support/user-ciphers.ts";
import { storedKeys } from "./stored-keys.ts";

const sealing = createUserCiphers();
let dynamodb: TestDynamodb;
let chunks: ChunkStore;
let summaries: SummaryStore;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  chunks = new ChunkStore(new Table(dynamodb.documents, sampleTable.name), sealing, KEPT_MS);
  summaries = new SummaryStore(new Table(dynamodb.documents, summaryTable.name), sealing, KEPT_MS);
});
afterAll(() => dynamodb.stop());

const KEPT_MS = 30 * 86_400_000;
const scope = TeamScope.grant("7ea70000-0000-4000-8000-000000000001");
const heartrate = getResource("heartrate");
const T0 = Date.UTC(2026, 2, 10, 8);
const range = { fromMs: T0, toMs: T0 + 86_400_000 };
let users = 0;
const newUser = () => `user ${++users}`;

interface Batch<T> {
  readonly receivedAt: number;
  readonly batchId: string;
  readonly content: T;
}

/** Batches in receive order; some share a millisecond. */
const received = <T>(content: fc.Arbitrary<T>): fc.Arbitrary<Batch<T>[]> =>
  fc.array(fc.tuple(fc.nat(2), content), { minLength: 1, maxLength: 7 }).map((drawn) => {
    let receivedAt = T0;
    return drawn.map(([gap, one], index) => {
      receivedAt += gap;
      return { receivedAt, batchId: `b${index}`, content: one };
    });
  });

/** The order in which batches are consumed, and which batch is redelivered after each. */
const consumed = <T>(batches: fc.Arbitrary<Batch<T>[]>, isInOrder: boolean) =>
  batches.chain((all) => {
    const places = all.map((_, place) => place);
    const order = isInOrder ? fc.constant(places) : fc.shuffledSubarray(places, { minLength: places.length });
    return fc.record({ all: fc.constant(all), order, again: fc.array(fc.nat(6), { maxLength: 8 }) });
  });

/** Consumes batches, each followed by the redelivery of one consumed earlier, and calls `then` after each. */
async function consumeAll<T>(
  { all, order, again }: { all: Batch<T>[]; order: number[]; again: number[] },
  consume: (batch: Batch<T>, isLatest: () => Promise<boolean>) => Promise<unknown>,
  then: (batch: Batch<T>) => Promise<void> = async () => undefined,
): Promise<void> {
  const pending = new Set(order);
  const isLatestOf = (place: number) => async () => ![...pending].some((other) => other < place);
  for (const [done, place] of order.entries()) {
    await consume(all[place]!, isLatestOf(place));
    pending.delete(place);
    await then(all[place]!);
    const repeated = order[again[done] ?? Number.NaN];
    if (repeated !== undefined && !pending.has(repeated)) await consume(all[repeated]!, isLatestOf(repeated));
  }
}

const sample: fc.Arbitrary<Sample> = fc
  .record({ tick: fc.nat(3), value: fc.nat(2), isDeleted: fc.nat(4) })
  .map(({ tick, value, isDeleted }) => ({
    // The ticks span two chunks.
    start: T0 + tick * 1_000_000,
    value: isDeleted === 0 ? null : value,
    offsetS: null,
    type: null,
    ...(isDeleted === 0 ? { isDeleted: true } : {}),
  }));

describe("samples as of an instant", () => {
  const source = { resource: heartrate, provider: "oura", sourceType: "ring", recorder: NO_RECORDER };
  const streamOf = (userId: string) => ({ userId, ...source });
  const consume = (userId: string) => async (batch: Batch<Sample[]>, isLatest: () => Promise<boolean>) => {
    const buckets = Map.groupBy(batch.content, ({ start }) => Math.floor(start / heartrate.bucketMs));
    for (const bucket of buckets.values())
      await chunks.merge(scope, streamOf(userId), bucket, batch, { expectNew: false, hasNoOlderPending: isLatest });
  };
  const read = async (userId: string, asOfMs?: number) => {
    const slices = await Array.fromAsync(chunks.read(scope, userId, heartrate, { range, asOfMs }));
    const found = slices.flatMap(({ columns, from, to }) => columnsToChunk(columns).samples.slice(from, to));
    return found.map(({ run: _, ...rest }) => rest);
  };
  const modelAt = (all: readonly Batch<Sample[]>[], at: number) => {
    const known = new Map<string, Sample>();
    for (const { receivedAt, content } of all)
      if (receivedAt <= at) for (const one of content) known.set(sampleKey(one), one);
    return [...known.values()].filter(({ isDeleted }) => !isDeleted).sort(compareSampleKeys);
  };
  const batches = received(fc.array(sample, { minLength: 1, maxLength: 4 }));

  test("equal the response given at that instant", async () => {
    await fc.assert(
      fc.asyncProperty(consumed(batches, true), async (history) => {
        const userId = newUser();
        const given = new Map<number, Sample[]>([[T0 - 1, []]]);
        await consumeAll(history, consume(userId), async (batch) => {
          given.set(batch.receivedAt, await read(userId));
        });
        const answers = await Promise.all([...given.keys()].map((at) => read(userId, at)));
        expect(answers).toEqual([...given.values()]);
      }),
      { numRuns: chooseCount(10, 40) },
    );
  });

  test("follow from the batches received by then, regardless of consumption order and redelivery", {
    tags: "deep",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(consumed(batches, false), async (history) => {
        const userId = newUser();
        await consumeAll(history, consume(userId));
        for (let at = T0 - 1; at <= T0 + 15; at++) expect(await read(userId, at)).toEqual(modelAt(history.all, at));
      }),
      { numRuns: chooseCount(10, 40) },
    );
  });

  const only = (value: number): Sample[] => [{ start: T0, value, offsetS: null, type: null }];
  const deliver = (userId: string, at: number, value: number) =>
    consume(userId)({ receivedAt: T0 + at, batchId: `b${at}`, content: only(value) }, async () => false);
  const keysOf = (userId: string) => storedKeys(dynamodb, sampleTable.name, chunkPartition(scope, userId, heartrate));

  test("a redelivered batch leaves one version, even after a later batch replaced its values", async () => {
    const userId = newUser();
    for (const [at, value] of [
      [1, 60],
      [2, 61],
      [2, 61],
      [3, 62],
      [2, 61],
      [1, 60],
    ] as const)
      await deliver(userId, at, value);
    const key = "2026-03-10T08:00#oura#ring";
    expect(await keysOf(userId)).toEqual([key, `v#${key}#${T0 + 2}#b2#replaced`, `v#${key}#${T0 + 3}#b3#replaced`]);
  });

  test("a batch too late to be stored leaves one version, however often it is delivered", async () => {
    const userId = newUser();
    for (const [at, value] of [
      [3, 62],
      [1, 60],
      [2, 61],
      [1, 60],
    ] as const)
      await deliver(userId, at, value);
    expect((await keysOf(userId)).map((key) => key.split("#").slice(-2))).toEqual([
      ["oura", "ring"],
      ["b1", "late"],
      ["b2", "late"],
    ]);
  });

  test("new samples leave no version, and a deployment without version retention stores none", async () => {
    const userId = newUser();
    await deliver(userId, 1, 60);
    await deliver(userId, 2, 60);
    expect((await keysOf(userId)).length).toBe(1);
    const forgetful = new ChunkStore(new Table(dynamodb.documents, sampleTable.name), sealing);
    const receipt = { receivedAt: T0 + 3, batchId: "b3" };
    await forgetful.merge(scope, streamOf(userId), only(61), receipt, {
      expectNew: false,
      hasNoOlderPending: async () => false,
    });
    expect((await keysOf(userId)).length).toBe(1);
  });

  test("an erasure deletes the versions", async () => {
    const userId = newUser();
    for (const at of [1, 2, 3]) await deliver(userId, at, at);
    expect(await chunks.eraseUser(scope, userId)).toBe(3);
    expect(await keysOf(userId)).toEqual([]);
  });
});

describe.each([
  ["identified by date", activity, "2026-03-10", ["2026-03-10"]],
  ["that move to another day", workouts, "w1", ["2026-03-10", "2026-03-11", "2026-03-12"]],
] as const)("summaries %s as of an instant", (_, kind: SummaryKind, key, dates) => {
  const content = fc.record({ steps: fc.nat(2), day: fc.constantFrom(...dates), other: fc.boolean() });
  type Content = typeof content extends fc.Arbitrary<infer T> ? T : never;
  const consume = (userId: string) => async (batch: Batch<Content>, isLatest: () => Promise<boolean>) => {
    const { steps, day, other } = batch.content;
    const fields = { calendar_date: day, steps, time_start: `${day}T08:00:00+00:00` };
    const origin = {
      userId,
      kind,
      provider: other ? "garmin" : "oura",
      sourceType: "ring",
      deviceId: null,
      appId: null,
    };
    const receipt = { receivedAt: batch.receivedAt, receiptId: `${batch.receivedAt}${batch.batchId}` };
    await summaries.merge(scope, { ...origin, accepted: { key, providerId: null, fields } }, receipt, isLatest);
  };
  const read = async (userId: string, asOf?: number) => {
    const lists = dates.map((day) => summaries.list(scope, userId, kind, { from: day, to: day }, asOf));
    return (await Promise.all(lists)).map((found) =>
      found.map(({ provider, fields, created_at, updated_at }) => ({ provider, fields, created_at, updated_at })),
    );
  };

  test("equal the response given at that instant", async () => {
    await fc.assert(
      fc.asyncProperty(consumed(received(content), true), async (history) => {
        const userId = newUser();
        const given = new Map([[T0 - 1, dates.map((): unknown[] => [])]]);
        await consumeAll(history, consume(userId), async ({ receivedAt }) => {
          given.set(receivedAt, await read(userId));
        });
        const answers = await Promise.all([...given.keys()].map((at) => read(userId, at)));
        expect(answers).toEqual([...given.values()]);
      }),
      { numRuns: chooseCount(5, 20) },
    );
  });

  test("follow from the batches received by then, regardless of consumption order and redelivery", {
    tags: "deep",
  }, async () => {
    const contents = dates.length > 1 ? content.map((one) => ({ ...one, day: dates[0] })) : content;
    await fc.assert(
      fc.asyncProperty(consumed(received(contents), false), async (history) => {
        const userId = newUser();
        await consumeAll(history, consume(userId));
        for (let at = T0 - 1; at <= T0 + 15; at++) {
          const known = new Map<string, number>();
          for (const { receivedAt, content: one } of history.all)
            if (receivedAt <= at) known.set(one.other ? "garmin" : "oura", one.steps);
          const answer = (await read(userId, at))[0]?.map(({ provider, fields }) => [provider, fields.steps]);
          expect(answer).toEqual([...known].sort());
        }
      }),
      { numRuns: chooseCount(6, 25) },
    );
  });

  test("an erasure deletes the versions, one per distinct content", async () => {
    const userId = newUser();
    const deliver = (at: number, steps: number) => {
      const one = { steps, day: dates[0], other: false } as Content;
      return consume(userId)({ receivedAt: T0 + at, batchId: `b${at}`, content: one }, async () => false);
    };
    for (const [at, steps] of [
      [1, 1],
      [2, 2],
      [2, 2],
      [1, 1],
      [3, 3],
      [2, 2],
    ] as const)
      await deliver(at, steps);
    const keysOf = () => storedKeys(dynamodb, summaryTable.name, summaryPartition(scope, userId));
    expect((await keysOf()).filter((sk) => sk.startsWith("v#")).map((sk) => sk.slice(-2))).toEqual(["b1", "b2"]);
    expect((await keysOf()).length).toBe(3);
    await summaries.eraseUser(scope, userId);
    expect(await keysOf()).toEqual([]);
  });
});
