import { describe, expect, test } from "vitest";
import { acceptBatches } from "../simulated-connection.ts";
import { between, pullAnswered, recordsOf } from "./answered-pull.ts";

const window = between("2026-05-01T00:00:00Z", "2026-05-03T00:00:00Z");
const start = Date.parse("2026-05-01T22:00:00Z") / 1000;

describe("a Withings night of a mat, beside a watch", () => {
  const segment = (from: number, to: number, state: number, device: object) => ({
    ...{ startdate: start + from, enddate: start + to, state, hr: { [start + from + 60]: 50 + state } },
    ...device,
  });
  /** Pulls a night whose details have the segments of both devices. */
  async function pull(night: object, mat: object, watch: object) {
    const times = { startdate: start, enddate: start + 7200, date: "2026-05-02", timezone: "Europe/Paris" };
    const series = [
      segment(0, 3600, 1, mat),
      segment(3600, 7200, 2, mat),
      segment(0, 1800, 0, watch),
      segment(1800, 7200, 3, watch),
    ];
    const { batches } = await pullAnswered(["withings", "sleep"], window, (_, form) =>
      form.get("action") === "getsummary"
        ? { status: 0, body: { series: [{ id: 1, ...times, data: {}, ...night }], more: false, offset: 0 } }
        : { status: 0, body: { series } },
    );
    return batches;
  }

  test.each([
    ["the ids of devices", { hash_deviceid: "mat" }, { hash_deviceid: "mat" }, { hash_deviceid: "watch" }],
    ["the models", { model: 32, model_id: 63 }, { model_id: 63 }, { model_id: 93 }],
    ["the kind of model", { model: 32, hash_deviceid: "mat" }, { model_id: 63 }, { model_id: 93 }],
    ["the ids of devices of one model", { model_id: 63, hash_deviceid: "mat" }, {}, { hash_deviceid: "guest" }],
  ])("has the stages and heart rates of the mat alone, told apart by %s", async (_, night, mat, watch) => {
    const batches = await pull(night, mat, watch);
    expect(recordsOf(batches, "sleep_cycle")).toMatchObject([
      { stage_start_offset_second: [0, 3600], stage_end_offset_second: [3600, 7200], stage_type: [2, 1] },
    ]);
    expect(recordsOf(batches, "heartrate").map(({ value }) => value)).toEqual([51, 52]);
  });
});

test("short wakes of Fitbit interrupt the stages, so that these add up to the time asleep", async () => {
  const data = [
    { level: "light", seconds: 7200 },
    { level: "deep", seconds: 3600 },
    { level: "rem", seconds: 3600 },
  ];
  const awake = (dateTime: string, seconds = 120) => ({ dateTime, level: "wake", seconds });
  const shortData = [
    ...Array.from({ length: 8 }, (_, place) => awake(`2026-05-01T23:${10 + place * 5}:00.000`)),
    // From the light sleep into the deep sleep; and one that ends after the night.
    awake("2026-05-02T00:59:00.000"),
    awake("2026-05-02T02:59:00.000", 180),
    awake("some time"),
  ];
  const night = { logId: 1, dateOfSleep: "2026-05-02", startTime: "2026-05-01T23:00:00.000", duration: 14_400_000 };
  const slept = { ...night, minutesAsleep: 221, minutesAwake: 19, levels: { data, shortData } };
  const { batches } = await pullAnswered(["fitbit", "sleep"], window, ({ pathname }) =>
    pathname.includes("profile") ? { user: { encodedId: "x", timezone: "UTC" } } : { sleep: [slept] },
  );
  const [sleep] = recordsOf(batches, "sleep");
  expect(sleep).toMatchObject({ total: 13_260, awake: 1_140, light: 6_180, deep: 3_540, rem: 3_540 });
  const [cycle = {}] = recordsOf(batches, "sleep_cycle");
  const numbers = (name: string) => cycle[name] as number[];
  expect(numbers("stage_type").slice(-4)).toEqual([4, 1, 3, 4]);
  expect(numbers("stage_start_offset_second").slice(1)).toEqual(numbers("stage_end_offset_second").slice(0, -1));
});

test.each([
  [1.9, "short_sleep"],
  [3, "long_sleep"],
])("a night of Suunto with %d hours asleep is a %s", async (hours, type) => {
  const entryData = {
    ...{ SleepId: 1, BedtimeStart: "2026-05-02T01:00:00.000+02:00", BedtimeEnd: "2026-05-02T05:00:00.000+02:00" },
    ...{ Duration: 14_400, LightSleepDuration: hours * 3600, IsNap: false },
  };
  const night = { timestamp: "2026-05-02T05:00:00.000+02:00", entryData };
  const { batches } = await pullAnswered(["suunto", "sleep"], window, () => [night]);
  expect(acceptBatches(batches, window.endMs).sleep).toMatchObject([{ type }]);
});

test("sleeps of Oura that the user confirmed are naps, and the score of the day belongs to the long sleep", async () => {
  const period = (id: string, type: string, hour: number) => ({
    ...{ id, type, day: "2026-05-02", time_in_bed: 3600, total_sleep_duration: 3000 },
    ...{ bedtime_start: `2026-05-02T${hour}:00:00+02:00`, bedtime_end: `2026-05-02T${hour + 1}:00:00+02:00` },
  });
  const types = ["long_sleep", "sleep", "late_nap", "rest", "deleted"];
  const data = types.map((type, place) => period(type, type, 10 + 2 * place));
  const { batches } = await pullAnswered(["oura", "sleep"], window, ({ pathname }) => {
    if (pathname.endsWith("/daily_sleep")) return { data: [{ day: "2026-05-02", score: 70 }], next_token: null };
    return { data: pathname.endsWith("/sleep") ? data : [], next_token: null };
  });
  expect(recordsOf(batches, "sleep")).toMatchObject([
    { provider_id: "long_sleep", type: "long_sleep", score: 70 },
    { provider_id: "sleep", type: "acknowledged_nap", score: null },
    { provider_id: "late_nap", type: "acknowledged_nap", score: null },
  ]);
});
