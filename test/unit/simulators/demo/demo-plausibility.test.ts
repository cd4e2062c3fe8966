import { describe, expect, test } from "vitest";
import { type DeliveredRecord, deliverDemoData, mean, samplesBetween, sum, valuesOf } from "./deliver-demo-data.ts";

const endMs = Date.UTC(2026, 3, 20, 20);
const people = Array.from({ length: 5 }, (_, index) => ({ seed: 1_000_003 * index }));

/** Local minutes after midnight. */
const localMinute = (time: unknown, offsetS: unknown): number =>
  (((Date.parse(String(time)) / 60_000 + Number(offsetS) / 60) % 1440) + 1440) % 1440;

describe.each(people)("the demo person of seed $seed", ({ seed }) => {
  const delivery = deliverDemoData({ days: 84, endMs, seed, timeZone: "America/New_York" });
  const read = (resource: string): readonly DeliveredRecord[] => delivery.get(`watch ${resource}`) ?? [];
  const sleeps = read("sleep");
  const isWeekend = ({ calendar_date: date }: DeliveredRecord) =>
    [0, 6].includes(new Date(`${date}T00:00Z`).getUTCDay());

  test("sleeps every night for about eight hours, usually across midnight", () => {
    expect(sleeps).toHaveLength(85);
    const hours = sleeps.map(({ total }) => Number(total) / 3600);
    expect(mean(hours)).toBeGreaterThan(6);
    expect(mean(hours)).toBeLessThan(9.5);
    expect(Math.min(...hours)).toBeGreaterThan(4);
    const begins = sleeps.map(({ bedtime_start, timezone_offset }) => localMinute(bedtime_start, timezone_offset));
    expect(begins.filter((minute) => minute > 20 * 60).length).toBeGreaterThan(40);
    for (const minute of begins) expect(minute > 20 * 60 || minute < 3 * 60).toBe(true);
  });

  test("wakes at the same local time before and after a clock change, and later on weekends", () => {
    const meanEnd = (wanted: (night: DeliveredRecord) => boolean) =>
      mean(sleeps.filter(wanted).map((night) => localMinute(night.bedtime_stop, night.timezone_offset)));
    const isSummer = ({ timezone_offset: offset }: DeliveredRecord) => offset === -4 * 3600;
    const workdays = (night: DeliveredRecord) => !isWeekend(night);
    expect(new Set(sleeps.map(({ timezone_offset }) => timezone_offset))).toEqual(new Set([-5 * 3600, -4 * 3600]));
    const [winter, summer] = [false, true].map((is) => meanEnd((night) => workdays(night) && isSummer(night) === is));
    expect(Math.abs(summer! - winter!)).toBeLessThan(15);
    expect(meanEnd(isWeekend)).toBeGreaterThan(meanEnd(workdays) + 25);
  });

  test("has two to four workouts in each week", () => {
    const weekOf = (date: unknown) => Math.floor((Date.parse(`${date}T00:00Z`) / 86_400_000 + 3) / 7);
    const firstMonday = weekOf("2026-01-26");
    const counts = Array.from({ length: 12 }, (_, week) => {
      const ofWeek = read("workouts").filter(({ calendar_date: date }) => weekOf(date) === firstMonday + week);
      return ofWeek.length;
    });
    for (const count of counts) expect([2, 3, 4]).toContain(count);
    expect(new Set(counts).size).toBeGreaterThan(1);
  });

  test("has a low heart rate asleep and a high heart rate in workouts", () => {
    const asleep = mean(sleeps.map(({ hr_average }) => Number(hr_average)));
    const days = mean(read("activity").map(({ heart_rate }) => (heart_rate as { avg_bpm: number }).avg_bpm));
    const sport = mean(read("workouts").map(({ average_hr }) => Number(average_hr)));
    expect(asleep).toBeGreaterThan(40);
    expect(days).toBeGreaterThan(asleep + 8);
    expect(sport).toBeGreaterThan(days + 25);
    expect(Math.max(...valuesOf(read("heartrate")))).toBeLessThan(205);
  });

  test("takes no steps asleep and a plausible number by day", { tags: "deep" }, () => {
    for (const night of sleeps)
      expect(samplesBetween(read("steps"), night.bedtime_start, night.bedtime_stop)).toEqual([]);
    const perDay = read("activity")
      .slice(0, -1)
      .map(({ steps }) => Number(steps));
    expect(mean(perDay)).toBeGreaterThan(5_000);
    expect(mean(perDay)).toBeLessThan(16_000);
  });

  test("has respiration, oxygen saturation and heart rate variability in the usual ranges", { tags: "deep" }, () => {
    for (const value of valuesOf(read("blood_oxygen"))) expect(value >= 93 && value <= 100).toBe(true);
    for (const value of valuesOf(read("respiratory_rate"))) expect(value > 9 && value < 20).toBe(true);
    for (const value of valuesOf(read("hrv"))) expect(value > 5 && value < 200).toBe(true);
  });

  test("has sleep stages in the usual proportions", () => {
    const share = (stage: string) =>
      sum(sleeps.map((night) => Number(night[stage]))) / sum(sleeps.map(({ total }) => Number(total)));
    expect(share("deep")).toBeGreaterThan(0.12);
    expect(share("deep")).toBeLessThan(0.28);
    expect(share("rem")).toBeGreaterThan(0.15);
    expect(share("rem")).toBeLessThan(0.33);
  });
});

test("a day has 23 hours of samples when clocks go forward and 25 when they go back", () => {
  const hoursOf = (endOfDay: number, date: string) => {
    const delivery = deliverDemoData({ days: 3, endMs: endOfDay, seed: 5, timeZone: "Europe/Berlin" });
    const basal = delivery.get("watch calories_basal") ?? [];
    return basal.filter(
      ({ timestamp, timezone_offset: offset }) =>
        new Date(Date.parse(timestamp!) + Number(offset) * 1000).toISOString().slice(0, 10) === date,
    ).length;
  };
  expect(hoursOf(Date.UTC(2026, 2, 30, 12), "2026-03-29")).toBe(23);
  expect(hoursOf(Date.UTC(2026, 9, 26, 12), "2026-10-25")).toBe(25);
});
