import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_RECORDER, type Recorder, recorderKey } from "../../../../lib/store/recorder-key.ts";
import { beats, device, RecorderFixture, T0 } from "./recorder-fixture.ts";

let on: RecorderFixture;
beforeAll(async () => {
  on = await RecorderFixture.open();
});
afterAll(() => on.dynamodb.stop());

const at = (second: number, value: number, { deviceId, appId }: Recorder) => ({ second, value, deviceId, appId });
const [A, B] = [device("a"), device("b")];

describe("samples of several recorders", () => {
  test.each<[string, readonly Recorder[]]>([
    ["devices", [A, B, NO_RECORDER]],
    ["apps", [{ deviceId: null, appId: "com.a" }, { deviceId: null, appId: "com.b" }, NO_RECORDER]],
    ["apps of one device", [{ deviceId: "a", appId: "x" }, { deviceId: "a", appId: "y" }, A]],
    ["a device and an app of one name", [A, { deviceId: null, appId: "a" }]],
    ["ids with separators", [device("a#b"), device("a/b"), device("a~b"), { deviceId: "a", appId: "#b" }]],
    ["ids that differ in case or normal form", [device("Watch"), device("watch"), device("\u00e9"), device("e\u0301")]],
    ["ids with emoji and unpaired surrogates", [device("⌚️"), device("\ud83d"), device("\ud83e"), device('"\\')]],
  ])("stay apart at the same instants: %s", async (_, recorders) => {
    const userId = on.newUser();
    for (const [index, recorder] of recorders.entries()) {
      const { created } = await on.merge(userId, recorder, beats([60 + index, 70 + index]));
      expect(created.length).toBe(2);
    }
    const expected = recorders.flatMap((recorder, index) => [at(0, 60 + index, recorder), at(1, 70 + index, recorder)]);
    const read = await on.read(userId);
    expect(read).toHaveLength(expected.length);
    expect(read).toEqual(expect.arrayContaining(expected));
  });

  test("are deleted and corrected by their own recorder only", async () => {
    const userId = on.newUser();
    for (const recorder of [A, B]) await on.merge(userId, recorder, beats([60, 61, 62]));
    await on.merge(userId, A, beats([null, 80]));
    expect(await on.read(userId)).toEqual([at(0, 60, B), at(1, 80, A), at(1, 61, B), at(2, 62, A), at(2, 62, B)]);
  });

  test("are unchanged when their batch is sent again", async () => {
    const userId = on.newUser();
    for (const recorder of [A, B]) await on.merge(userId, recorder, beats([60, 61]));
    const before = await on.read(userId);
    const { created, updated, unchanged } = await on.merge(userId, A, beats([60, 61]));
    expect([created, updated, unchanged.length]).toEqual([[], [], 2]);
    expect(await on.read(userId)).toEqual(before);
  });

  test("name the recorder in keys by a hash, and encrypt its ids", async () => {
    const userId = on.newUser();
    await on.merge(userId, { deviceId: "serial-4711", appId: "com.example" }, beats([60]));
    const [item] = await on.items(userId);
    expect(item?.sk).toMatch(/^2026-03-10T08:00#oura#ring#[\w-]{15}$/);
    const bytes = Buffer.concat([item?.b ?? Buffer.alloc(0), item?.o ?? Buffer.alloc(0)]).toString("latin1");
    expect(`${item?.pk} ${item?.sk} ${bytes}`).not.toMatch(/4711|example/);
  });

  test("are erased together", async () => {
    const userId = on.newUser();
    for (const recorder of [A, B, NO_RECORDER]) await on.merge(userId, recorder, beats([60]));
    expect(await on.chunks.eraseUser(on.scope, userId)).toBe(3);
    expect(await on.read(userId)).toEqual([]);
  });
});

describe("samples as of an instant", () => {
  test("are those of each recorder, wherever its key sorts among the versions", async () => {
    const userId = on.newUser();
    const keyOf = (deviceId: string) => recorderKey(on.scope, userId, device(deviceId));
    const ids = Array.from({ length: 200 }, (_, index) => `watch ${index}`).sort((a, b) =>
      keyOf(a) < keyOf(b) ? -1 : 1,
    );
    // The first key sorts before every time of receipt, the last after it.
    const recorders = [NO_RECORDER, device(ids[0] ?? ""), device(ids.at(-1) ?? "")];
    expect([keyOf(ids[0] ?? "") < "17", keyOf(ids.at(-1) ?? "") > "18"]).toEqual([true, true]);
    for (const [index, recorder] of recorders.entries()) await on.merge(userId, recorder, beats([60 + index]));
    const instant = on.nextReceipt().receivedAt;
    const before = await on.read(userId);
    for (const recorder of recorders) await on.merge(userId, recorder, beats([90]));
    expect(await on.read(userId, instant)).toEqual(before);
    expect(before.map(({ value }) => value).sort()).toEqual([60, 61, 62]);
  });

  test("include values that arrived late, each of its recorder", async () => {
    const userId = on.newUser();
    const [first, second, third] = [on.nextReceipt(), on.nextReceipt(), on.nextReceipt()];
    for (const recorder of [NO_RECORDER, A]) {
      await on.merge(userId, recorder, beats([62]), { receipt: third });
      await on.merge(userId, recorder, beats([60]), { receipt: first });
      await on.merge(userId, recorder, beats([60]), { receipt: first });
      await on.merge(userId, recorder, beats([61]), { receipt: second });
    }
    for (const [{ receivedAt }, value] of [
      [first, 60],
      [second, 61],
      [third, 62],
    ] as const)
      expect(await on.read(userId, receivedAt)).toEqual([at(0, value, A), at(0, value, NO_RECORDER)]);
  });
});

describe("the requests of a merge", () => {
  const merging = (userId: string, recorder: Recorder) => on.requestsOf(() => on.merge(userId, recorder, beats([60])));

  test("are a read and a write, with and without recorder", async () => {
    const userId = on.newUser();
    expect(await merging(userId, NO_RECORDER)).toEqual(["BatchGet", "Put"]);
    expect(await merging(userId, A)).toEqual(["BatchGet", "Put"]);
  });

  test("are shared by the buckets of a history", async () => {
    const userId = on.newUser();
    const history = (recorder: Recorder) =>
      on.requestsOf(() =>
        Promise.all(
          Array.from({ length: 25 }, (_, bucket) =>
            on.merge(userId, recorder, beats([60], T0 + bucket * 1_800_000), { expectNew: true }),
          ),
        ),
      );
    expect(await history(NO_RECORDER)).toEqual(["BatchExecuteStatement"]);
    expect(await history(A)).toEqual(["BatchGet", "BatchExecuteStatement"]);
    expect(await on.read(userId)).toHaveLength(50);
  });
});
