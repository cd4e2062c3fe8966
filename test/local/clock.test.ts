import { expect, test } from "vitest";
import { VirtualClock } from "../../lib/local/clock.ts";

test("time stands still at whole milliseconds, never before the requested instant", async () => {
  const clock = new VirtualClock();
  const begin = clock.now();
  const seen: number[] = [];
  for (const part of [0.25, 0.5]) clock.at(begin + 60_000 + part, () => void seen.push(clock.now()));
  await clock.advanceTo(begin + 120_000.75, async () => undefined);
  clock.stop();
  expect(seen).toEqual([begin + 60_001, begin + 60_001]);
  expect(Number.isInteger(clock.now())).toBe(true);
  expect(clock.now()).toBeGreaterThanOrEqual(begin + 120_001);
});
