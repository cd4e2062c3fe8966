import { expect, test } from "vitest";
import { findClockChange } from "../../../../lib/connectors/polar/clock-change.ts";
import { instantInNight, instantOnDay, nightOffsets } from "../../../../lib/connectors/polar/clock-times.ts";
import type { Night } from "../../../../lib/connectors/polar/replies.ts";

const nightOf = (sleep_start_time: string, sleep_end_time: string) =>
  ({ sleep_start_time, sleep_end_time, date: sleep_end_time.slice(0, 10) }) as Night;

/** The instants of clock times in a night, such as `06:30`. */
const resolve = (night: Night, clocks: readonly string[]) =>
  clocks.map((clock) => new Date(instantInNight(clock, night) ?? Number.NaN).toISOString().slice(11, 16));

test.each([
  // At 02:00 the clocks went back to 01:00.
  ["New York in autumn", "2026-10-31T23:00:00-04:00", "2026-11-01T07:00:00-05:00", "03:00 04:30 05:30 07:30 08:30"],
  ["New York in spring", "2026-03-07T23:00:00-05:00", "2026-03-08T07:00:00-04:00", "04:00 05:30 06:30 - 07:30"],
  // At 02:00 the clocks went back to 01:00; in spring at 01:00 ahead to 02:00.
  ["London in autumn", "2026-10-24T23:00:00+01:00", "2026-10-25T07:00:00+00:00", "22:00 23:30 00:30 02:30 03:30"],
  ["London in spring", "2026-03-28T23:00:00+00:00", "2026-03-29T07:00:00+01:00", "23:00 00:30 - 01:30 02:30"],
  // At 03:00 the clocks went back to 02:00.
  ["Berlin in autumn", "2026-10-24T23:00:00+02:00", "2026-10-25T07:00:00+01:00", "21:00 22:30 23:30 00:30 02:30"],
  ["Berlin in spring", "2026-03-28T23:00:00+01:00", "2026-03-29T07:00:00+02:00", "22:00 23:30 00:30 - 01:30"],
  ["Sydney in autumn", "2026-04-04T23:00:00+11:00", "2026-04-05T07:00:00+10:00", "12:00 13:30 14:30 15:30 17:30"],
  ["Sydney in spring", "2026-10-03T23:00:00+10:00", "2026-10-04T07:00:00+11:00", "13:00 14:30 15:30 - 16:30"],
  // At 24:00 the clocks went back to 23:00.
  ["Santiago in autumn", "2026-04-04T22:00:00-03:00", "2026-04-05T07:00:00-04:00", "02:00 04:30 05:30 06:30 07:30"],
])("the clock times of a night in %s resolve to instants", (_, start, end, right) => {
  const night = nightOf(start, end);
  const clocks = ["23:00", "00:30", "01:30", "02:30", "03:30"];
  const expected = right.split(" ");
  const exist = clocks.filter((__, place) => expected[place] !== "-");
  expect(resolve(night, exist)).toEqual(expected.filter((one) => one !== "-"));
});

test("the heart rate of the day after the night has the later offset", () => {
  const offsets = nightOffsets(nightOf("2026-10-31T23:00:00-04:00", "2026-11-01T07:00:00-05:00"));
  const at = (clock: string) => new Date(instantOnDay("2026-11-01", clock, offsets!)).toISOString();
  expect(["00:30", "01:30", "02:30", "20:00"].map(at)).toEqual([
    "2026-11-01T04:30:00.000Z",
    "2026-11-01T05:30:00.000Z",
    "2026-11-01T07:30:00.000Z",
    "2026-11-02T01:00:00.000Z",
  ]);
});

test("on a journey, which no clock change explains, clocks count as changed at three in the morning", () => {
  const night = nightOf("2026-05-01T23:00:00+02:00", "2026-05-02T07:00:00+01:00");
  expect(resolve(night, ["02:30", "03:30"])).toEqual(["00:30", "02:30"]);
  const period = { startMs: Date.UTC(2026, 4, 1, 21), endMs: Date.UTC(2026, 4, 2, 6), before: 7_200, after: 3_600 };
  expect(findClockChange(period)).toBeUndefined();
});
