import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_RECORDER } from "../../../../lib/store/recorder-key.ts";
import { beats, device, RecorderFixture } from "./recorder-fixture.ts";

let on: RecorderFixture;
beforeAll(async () => {
  on = await RecorderFixture.open();
});
afterAll(() => on.dynamodb.stop());

describe.each([
  ["of a device", device("a")],
  ["without recorder", NO_RECORDER],
])("a value %s that arrives again", (_, recorder) => {
  /** Merges a value again, and answers the check for older batches. */
  const confirm = (userId: string, hasNoOlderPending: () => Promise<boolean>, receipt = on.nextReceipt()) =>
    on.chunks.merge(on.scope, on.stream(userId, recorder), beats([60]), receipt, {
      expectNew: false,
      hasNoOlderPending,
    });

  test("stays although an older batch is stored between its read and the check", async () => {
    const userId = on.newUser();
    await on.merge(userId, recorder, beats([60]));
    const [older, latest] = [on.nextReceipt(), on.nextReceipt()];
    const hasNoOlderPending = async () => {
      await on.merge(userId, recorder, beats([61]), { receipt: older });
      return true;
    };
    const { updated } = await confirm(userId, hasNoOlderPending, latest);
    expect(updated.length).toBe(1);
    expect((await on.read(userId)).map(({ value }) => value)).toEqual([60]);
  });

  test("costs a second read instead of a write if no older batch can arrive", async () => {
    const userId = on.newUser();
    await on.merge(userId, recorder, beats([60]));
    const requests = await on.requestsOf(() => confirm(userId, async () => true));
    expect(requests).toEqual(["BatchGet", "BatchGet"]);
  });
});
