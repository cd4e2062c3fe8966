import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { NO_RECORDER, type Recorder } from "../../../../lib/store/recorder-key.ts";
import { beats, device, RecorderFixture, T0 } from "./recorder-fixture.ts";

let on: RecorderFixture;
beforeAll(async () => {
  on = await RecorderFixture.open();
});
afterAll(() => on.dynamodb.stop());

const at = (second: number, value: number, { deviceId, appId }: Recorder) => ({ second, value, deviceId, appId });
const [A, B] = [device("a"), device("b")];
const counts = ({ created, updated, unchanged }: Awaited<ReturnType<RecorderFixture["merge"]>>) => [
  created.length,
  updated.length,
  unchanged.length,
];

let userId: string;
beforeEach(async () => {
  userId = on.newUser();
  await on.mergeAsBefore(userId, beats([60, 61, 62]));
});
afterEach(() => {
  on.onRequest = () => undefined;
});
const old = [at(0, 60, NO_RECORDER), at(1, 61, NO_RECORDER), at(2, 62, NO_RECORDER)];

describe.each([
  ["daily data", false],
  ["a history", true],
])("samples of a version without recorders, with %s", (_, expectNew) => {
  const merge = async (recorder: Recorder, values: readonly (number | null)[], startMs = T0) =>
    counts(await on.merge(userId, recorder, beats(values, startMs), { expectNew }));

  test("are read without recorder", async () => {
    expect(await on.read(userId)).toEqual(old);
  });

  test("stay unchanged when a device sends them again", async () => {
    expect(await merge(A, [60, 61, 62])).toEqual([0, 0, 3]);
    expect(await on.read(userId)).toEqual(old);
  });

  test("are corrected and deleted as one sample", async () => {
    expect(await merge(A, [null, 81])).toEqual([0, 2, 0]);
    expect(await on.read(userId)).toEqual([at(1, 81, NO_RECORDER), at(2, 62, NO_RECORDER)]);
    expect(await merge(A, [63])).toEqual([1, 0, 0]);
    expect(await on.read(userId)).toEqual([at(0, 63, NO_RECORDER), at(1, 81, NO_RECORDER), at(2, 62, NO_RECORDER)]);
  });

  test("stand beside new samples of devices, which are their own", async () => {
    expect(await merge(A, [62, 70, 71], T0 + 2_000)).toEqual([2, 0, 1]);
    expect(await merge(B, [90, 91], T0 + 3_000)).toEqual([2, 0, 0]);
    const own = [at(3, 70, A), at(3, 90, B), at(4, 71, A), at(4, 91, B)];
    expect(await on.read(userId)).toEqual([...old, ...own]);
    expect(await merge(A, [null], T0 + 3_000)).toEqual([0, 1, 0]);
    expect(await on.read(userId)).toEqual([...old, ...own.slice(1)]);
    const generations = (await on.items(userId)).map(({ sk, g }) => [sk.split("#").length, g]);
    expect(generations).toEqual([
      [3, undefined],
      [4, 2],
      [4, 2],
    ]);
  });
});

describe("a chunk without recorder", () => {
  test("of this version leaves samples of devices alone", async () => {
    const other = on.newUser();
    await on.merge(other, NO_RECORDER, beats([60]));
    await on.merge(other, NO_RECORDER, beats([61]));
    await on.merge(other, A, beats([90]));
    expect(await on.read(other)).toEqual([at(0, 90, A), at(0, 61, NO_RECORDER)]);
  });

  test("is a legacy chunk once the version before has replaced it", async () => {
    const other = on.newUser();
    await on.merge(other, NO_RECORDER, beats([60]));
    await on.mergeAsBefore(other, beats([61], T0 + 1_000));
    await on.merge(other, A, beats([62], T0 + 1_000));
    await on.merge(other, NO_RECORDER, beats([63], T0 + 2_000));
    expect((await on.read(other)).map(({ value, deviceId }) => [value, deviceId])).toEqual([
      [60, null],
      [62, null],
      [63, null],
    ]);
    expect((await on.items(other)).map(({ g }) => g)).toEqual([undefined]);
  });
});

describe("a merge into both chunks", () => {
  const both = () => beats([80, 61, 62, 83, 84]);

  test("reports the same when it runs again", async () => {
    const receipt = on.nextReceipt();
    const first = await on.merge(userId, A, both(), { receipt });
    const [before, requests] = [await on.read(userId), [] as string[]];
    on.onRequest = (name) => void requests.push(name);
    const again = await on.merge(userId, A, both(), { receipt });
    expect([counts(again), counts(first)]).toEqual([counts(first), [2, 1, 2]]);
    expect([again.changed, requests, again.updatedEarlier.length]).toEqual([false, ["BatchGet"], 1]);
    expect(await on.read(userId)).toEqual(before);
  });

  test.each([1, 2])("survives a crash before write %i", async (failing) => {
    const receipt = on.nextReceipt();
    let writes = 0;
    on.onRequest = (name) => {
      if (name === "Put" && ++writes === failing) throw new Error("crash");
    };
    await expect(on.merge(userId, A, both(), { receipt })).rejects.toThrow("crash");
    on.onRequest = () => undefined;
    expect(counts(await on.merge(userId, A, both(), { receipt }))).toEqual([2, 1, 2]);
    expect((await on.read(userId)).map(({ value, deviceId }) => [value, deviceId])).toEqual([
      [80, null],
      [61, null],
      [62, null],
      [83, "a"],
      [84, "a"],
    ]);
  });

  test("reports what it replaced once, although another writer changes the legacy chunk in between", async () => {
    let isOpen = true;
    on.onRequest = async (name) => {
      if (name !== "Put" || !isOpen) return;
      isOpen = false;
      await on.mergeAsBefore(userId, beats([99], T0 + 9_000));
    };
    const merged = await on.merge(userId, A, both());
    expect(merged.replaced.map(({ value }) => value)).toEqual([60]);
    expect([counts(merged), merged.updatedEarlier]).toEqual([[2, 1, 2], []]);
    expect((await on.read(userId)).map(({ value }) => value)).toEqual([80, 61, 62, 83, 84, 99]);
  });
});

describe("the current samples of an event", () => {
  const around = async (recorder: Recorder) => {
    const starts = [0, 1, 2, 3].map((second) => T0 + second * 1_000);
    const found = await on.chunks.getSamplesAround(on.scope, on.stream(userId, recorder), starts);
    return found.sort((a, b) => a.start - b.start).map(({ value }) => value);
  };

  test("are those of its recorder, and those of a legacy chunk that the recorder lacks", async () => {
    await on.merge(userId, A, beats([70], T0 + 3_000));
    await on.merge(userId, B, beats([90], T0 + 3_000));
    expect([await around(A), await around(B), await around(NO_RECORDER)]).toEqual([
      [60, 61, 62, 70],
      [60, 61, 62, 90],
      [60, 61, 62],
    ]);
  });

  test("omit a deleted sample of the recorder, even if a legacy chunk has one at its instant", async () => {
    await on.merge(userId, A, beats([70], T0 + 3_000));
    await on.merge(userId, A, beats([null], T0 + 3_000));
    await on.mergeAsBefore(userId, beats([71], T0 + 3_000));
    expect([await around(A), await around(B)]).toEqual([
      [60, 61, 62],
      [60, 61, 62, 71],
    ]);
  });

  test("omit samples without recorder that this version stored", async () => {
    const other = on.newUser();
    await on.merge(other, NO_RECORDER, beats([60]));
    await on.merge(other, A, beats([70], T0 + 1_000));
    const found = await on.chunks.getSamplesAround(on.scope, on.stream(other, A), [T0, T0 + 1_000]);
    expect(found.map(({ value }) => value)).toEqual([70]);
  });
});
