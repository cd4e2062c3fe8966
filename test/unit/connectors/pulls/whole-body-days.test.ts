import { describe, expect, test } from "vitest";
import { garmin } from "../../../../lib/connectors/garmin/garmin.ts";
import { toBodyDays } from "../../../../lib/domain/summaries/body-days.ts";
import { type Answer, between, pullAnswered, recordsOf } from "./answered-pull.ts";

/** Weighed in the morning with all electrodes, and in the evening with socks on. */
const MORNING = "2026-05-02T07:00:00Z";
const EVENING = "2026-05-02T20:00:00Z";
const windows = [
  ["of two days", between("2026-05-01T00:00:00Z", "2026-05-03T00:00:00Z")],
  ["that begins within the day", between("2026-05-02T12:00:00Z", "2026-05-04T12:00:00Z")],
  ["that ends within the day", between("2026-04-30T12:00:00Z", "2026-05-02T12:00:00Z")],
  ["of a push about the morning", between(MORNING, "2026-05-02T07:00:01Z")],
] as const;
const seconds = (time: string) => Date.parse(time) / 1000;

const withings: Answer = (_, form) => {
  const group = (at: string, measures: readonly (readonly [type: number, value: number])[]) => ({
    ...{ attrib: 0, category: 1, date: seconds(at), hash_deviceid: "scale" },
    measures: measures.map(([type, value]) => ({ type, value, unit: -3 })),
  });
  const all = [
    group(EVENING, [[1, 80_500]]),
    group(MORNING, [
      [1, 80_000],
      [6, 20_000],
      [76, 60_375],
    ]),
  ];
  const [first, last] = [Number(form.get("startdate")), Number(form.get("enddate"))];
  const measuregrps = all.filter(({ date }) => date >= first && date <= last);
  return { status: 0, body: { timezone: "UTC", more: 0, offset: 0, measuregrps } };
};

const googleHealth: Answer = ({ pathname, searchParams }) => {
  const sample = (at: string) => ({ sampleTime: { physicalTime: at, utcOffset: "0s" } });
  const weights = [
    { at: EVENING, point: { weight: { ...sample(EVENING), weightGrams: 80_500 } } },
    { at: MORNING, point: { weight: { ...sample(MORNING), weightGrams: 80_000 } } },
  ];
  const fats = [{ at: MORNING, point: { bodyFat: { ...sample(MORNING), percentage: 20 } } }];
  const bounds = [...(searchParams.get("filter") ?? "").matchAll(/"([^"]+)"/g)].map(([, time]) => Date.parse(time!));
  const found = (pathname.includes("/weight/") ? weights : fats).filter(
    ({ at }) => Date.parse(at) >= bounds[0]! && Date.parse(at) < bounds[1]!,
  );
  return { dataPoints: found.map(({ point }) => point) };
};

/** Two pages, newest first. */
const ihealth: Answer = ({ href, searchParams }) => {
  const weighed = (at: string, WeightValue: number, FatValue: number) => ({
    ...{ DataID: at, MDate: seconds(at), TimeZone: "+0000", WeightValue, FatValue },
  });
  const [first, last] = [Number(searchParams.get("start_time")), Number(searchParams.get("end_time"))];
  const found = [weighed(EVENING, 80.5, 0), weighed(MORNING, 80, 20)].filter(
    ({ MDate }) => MDate >= first && MDate <= last,
  );
  const page = Number(searchParams.get("page_index"));
  const next = new URL(href);
  next.searchParams.set("page_index", String(page + 1));
  const NextPageUrl = page < found.length ? next.href : "";
  return { WeightUnit: 0, NextPageUrl, WeightDataList: found.slice(page - 1, page) };
};

describe.each([
  ["withings", "body", withings],
  ["google_health", "body", googleHealth],
  ["ihealth", "weight", ihealth],
] as const)("the body of a day of %s", (slug, resource, answer) => {
  test.each(windows)("has the latest of each value, for a window %s", async (_, window) => {
    const { batches } = await pullAnswered([slug, resource], window, answer);
    const [body, ...others] = recordsOf(batches, "body");
    expect(body).toMatchObject({ calendar_date: "2026-05-02", weight: 80.5, fat: 20 });
    expect(others).toEqual([]);
  });
});

test.each([
  ["withings", withings],
  ["google_health", googleHealth],
] as const)("%s gives the samples of the window alone, although it reads more", async (slug, answer) => {
  const { batches } = await pullAnswered([slug, "body"], between(MORNING, "2026-05-02T07:00:01Z"), answer);
  expect(recordsOf(batches, "body_weight")).toMatchObject([{ value: 80 }]);
  const later = between("2026-05-02T12:00:00Z", "2026-05-04T12:00:00Z");
  const evening = (await pullAnswered([slug, "body"], later, answer)).batches;
  expect(recordsOf(evening, "body_weight")).toMatchObject([{ value: 80.5 }]);
  expect(recordsOf(evening, "body_fat")).toEqual([]);
});

test("Withings converts masses by the latest weight of the day", async () => {
  const { batches } = await pullAnswered(["withings", "body"], windows[1][1], withings);
  expect(recordsOf(batches, "body")).toMatchObject([{ muscle_mass_percentage: 75 }]);
});

test("Garmin's body compositions of one push make one body of a day, in the order of their times", () => {
  const measured = (at: string, values: object) => ({
    ...{ userId: "u", summaryId: at, measurementTimeInSeconds: seconds(at), measurementTimeOffsetInSeconds: 0 },
    ...values,
  });
  const bodyComps = [
    measured(EVENING, { weightInGrams: 80_500 }),
    measured(MORNING, { weightInGrams: 80_000, bodyFatInPercent: 20, muscleMassInGrams: 40_000 }),
  ];
  const request = { method: "POST", headers: {}, query: new URLSearchParams() } as const;
  const pushed = garmin.push?.parse({ ...request, body: JSON.stringify({ bodyComps }) }) ?? [];
  const batches = pushed.flatMap(({ batch }) => (batch ? [batch] : []));
  expect(recordsOf(batches, "body")).toEqual([
    { calendar_date: "2026-05-02", weight: 80.5, fat: 20, muscle_mass_percentage: 50 },
  ]);
  expect(recordsOf(batches, "body_weight")).toHaveLength(2);
});

test("Fitbit's weights of a day make one body, in the order of their times", async () => {
  const weight = [
    { date: "2026-05-02", time: "20:00:00", weight: 80.5 },
    { date: "2026-05-02", time: "07:00:00", weight: 80, fat: 20 },
    { date: "2026-05-03", time: "07:00:00", weight: 79, bmi: 23 },
  ];
  const { batches } = await pullAnswered(["fitbit", "body"], windows[0][1], () => ({ weight }));
  expect(recordsOf(batches, "body")).toEqual([
    { calendar_date: "2026-05-02", weight: 80.5, fat: 20 },
    { calendar_date: "2026-05-03", weight: 79, body_mass_index: 23 },
  ]);
});

test("measurements without values make no body", () => {
  expect(toBodyDays([{ calendar_date: "2026-05-02", atMs: 0, values: { weight: null, fat: undefined } }])).toEqual([]);
});
