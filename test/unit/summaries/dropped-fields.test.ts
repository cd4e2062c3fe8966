import { describe, expect, test } from "vitest";
import { acceptBatch } from "../../../lib/domain/ingest/accept-batch.ts";
import { toRejections } from "../../../lib/domain/ingest/rejection.ts";
import { findSummaryKind } from "../../../lib/domain/summaries/summary-kinds.ts";
import { type SummaryName, summaryNames } from "../../../lib/domain/summaries/summary-names.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { acceptSummary, acceptValidSummary } from "./accept-summary.ts";
import { minimalSummaries } from "./minimal-summaries.ts";

const dropped = (name: SummaryName, given: object) => {
  const judged = acceptSummary(name, { ...minimalSummaries[name], ...given });
  return "ok" in judged ? (judged.dropped ?? []) : judged.reason;
};
const named = (field: string, reason: string) => [{ field, reason }];

test.each<[SummaryName, object, string, string]>([
  ["activity", { steps: -1 }, "steps", "value_out_of_range"],
  ["activity", { timezone_offset: 90_000 }, "timezone_offset", "bad_time"],
  ["activity", { heart_rate: "high" }, "heart_rate", "bad_field"],
  ["activity", { heart_rate: { avg_bpm: 0, max_bpm: 150 } }, "heart_rate.avg_bpm", "value_out_of_range"],
  ["body", { weight: "many" }, "weight", "bad_field"],
  ["profile", { height: 3, sex: "female" }, "height", "value_out_of_range"],
  ["profile", { birth_date: "1990-02-30", sex: "female" }, "birth_date", "bad_field"],
  ["profile", { birth_date: "2999-01-01", sex: "female" }, "birth_date", "value_out_of_range"],
  ["profile", { gender: "x", sex: "female" }, "gender", "bad_field"],
  ["sleep", { type: "nap" }, "type", "bad_field"],
  ["sleep", { state: "guessed" }, "state", "bad_field"],
  ["electrocardiogram", { classification: "weird" }, "classification", "bad_field"],
  ["menstrual_cycle", { menstrual_flow: [{ date: "2026-05-01", flow: "huge" }] }, "menstrual_flow.0", "bad_field"],
  ["sleep", { deep: -1 }, "deep", "value_out_of_range"],
  ["sleep", { hr_average: 0 }, "hr_average", "value_out_of_range"],
  ["sleep", { provider_id: 7 }, "provider_id", "bad_field"],
  ["workouts", { average_hr: 0 }, "average_hr", "value_out_of_range"],
  ["workouts", { hr_zones: [1, 2, 3, 4, 5, -6] }, "hr_zones", "value_out_of_range"],
  ["workouts", { hr_zones: [1] }, "hr_zones", "value_out_of_range"],
  ["workouts", { sport: { id: 1, slug: "run" } }, "sport", "bad_field"],
  ["workouts", { map: { polyline: 5, summary_polyline: "x" } }, "map.polyline", "bad_field"],
  ["meal", { energy: { unit: "kJ", value: 1 } }, "energy", "bad_field"],
  ["meal", { macros: { protein: -1, carbs: 5 } }, "macros.protein", "value_out_of_range"],
  ["meal", { micros: { minerals: { iron: "much", zinc: 1 } } }, "micros.minerals.iron", "bad_field"],
  ["meal", { micros: { minerals: { "": 1 } } }, "micros.minerals.*", "bad_field"],
  ["meal", { data: { "Aunt Ada's pie": { macros: { sugar: -1 } } } }, "data.*.macros.sugar", "value_out_of_range"],
  ["meal", { name: 5 }, "name", "bad_field"],
  ["menstrual_cycle", { is_predicted: "yes" }, "is_predicted", "bad_field"],
  [
    "menstrual_cycle",
    {
      basal_body_temperature: [
        { date: "2026-01-02", value: 36.5 },
        { date: "2026-01-03", value: 3 },
      ],
    },
    "basal_body_temperature.1",
    "value_out_of_range",
  ],
  ["menstrual_cycle", { menstrual_flow: [{ date: "soon", flow: "light" }] }, "menstrual_flow.0", "bad_time"],
  ["electrocardiogram", { heart_rate_mean: 0 }, "heart_rate_mean", "value_out_of_range"],
  ["sleep_cycle", { time_zone: 7 }, "time_zone", "bad_field"],
  ["devices", { device_model: 7 }, "device_model", "bad_field"],
])("%s with %j is accepted without %s: %s", (name, given, field, reason) => {
  expect(dropped(name, given)).toEqual(named(field, reason));
});

describe("data beside an invalid field", () => {
  test("stays unchanged", () => {
    const given = { steps: 5, heart_rate: { avg_bpm: 0, max_bpm: 150 }, distance: "far" };
    expect(acceptValidSummary("activity", { ...minimalSummaries.activity, ...given }).fields).toMatchObject({
      steps: 5,
      distance: null,
      heart_rate: { avg_bpm: null, max_bpm: 150 },
    });
  });

  test("keeps its position in a list with several invalid elements", () => {
    const note = (value: unknown) => ({ date: "2026-01-02", value });
    const given = { basal_body_temperature: [note(1), note(36.5), note("hot"), note(36.6), { value: 36 }] };
    const judged = acceptSummary("menstrual_cycle", { ...minimalSummaries.menstrual_cycle, ...given });
    expect(judged).toMatchObject({ ok: { fields: { basal_body_temperature: [note(36.5), note(36.6)] } } });
    const fields = dropped("menstrual_cycle", given) as readonly { field: string }[];
    expect(fields.map(({ field }) => field).sort()).toEqual([0, 2, 4].map((at) => `basal_body_temperature.${at}`));
  });

  test("stays when the longest field exceeds a table item", () => {
    const foods = Array.from({ length: 900 }, (_, index) => [`food ${index} ${"x".repeat(120)}`, {}]);
    const given = { ...minimalSummaries.meal, energy: { unit: "kcal", value: 5 }, data: Object.fromEntries(foods) };
    expect(acceptSummary("meal", given)).toMatchObject({
      ok: { fields: { energy: { value: 5 }, data: {} } },
      dropped: named("data", "too_large"),
    });
    const map = { polyline: "x".repeat(130_000) };
    expect(dropped("workouts", { map, steps: 5 })).toEqual(named("map", "too_large"));
  });
});

test("a null in a non-nullable field counts as absent", () => {
  expect(dropped("workouts", { calendar_date: null, sport: null })).toEqual([]);
  expect(dropped("meal", { macros: { fats: null } })).toEqual([]);
});

test("a summary with only invalid fields is rejected", () => {
  expect(acceptSummary("profile", { height: 3 })).toEqual({ reason: "value_out_of_range", field: expect.any(String) });
});

test.each(summaryNames)("only an invalid identity or time field rejects $name", ({ name }) => {
  const kind = findSummaryKind(name)!;
  const refusing = new Set<string>();
  for (const field of Object.keys(kind.ingest.shape)) {
    for (const junk of [-1e12, "x".repeat(2_000), { odd: [{}] }, [null, {}], true]) {
      const judged = acceptSummary(name, { ...minimalSummaries[name], [field]: junk, unknown: 1 });
      if ("reason" in judged) refusing.add(field);
      else expect(kind.wire.partial().parse(judged.ok.fields)).toMatchObject({});
    }
  }
  expect([...refusing].filter((field) => !essential.test(field))).toEqual([]);
});
const essential = /^(calendar_date|timestamp|provider_id|device_id|stage_\w+|cycle_end|\w+_(start|stop|end))$/;

const ids = { userId: "6a1f6f3e-1df0-4bd4-8f0e-0d5c6d0d3c11", teamId: "0d5c6d0d-3c11-4bd4-8f0e-6a1f6f3e1df0" };
const user = newUser({ client_user_id: "ada" }, ids, "2026-01-02T00:00:00.000Z");
const about = { provider: "oura", source_type: "ring", device_id: null, stage: "daily" } as const;

describe("a batch", () => {
  const day = { calendar_date: "2026-01-02" };

  test("counts a record without its invalid field as accepted and names the field", () => {
    const resources = { activity: [{ ...day, steps: -1 }, { steps: 1 }, { ...day, low: -1, high: -1 }] };
    const { accepted, rejected } = acceptBatch({ ...about, resources }, user, Date.UTC(2026, 0, 3));
    expect(accepted).toBe(2);
    expect(rejected).toMatchObject([
      { index: 0, field: "steps" },
      { resource: "activity", index: 1, effect: "record_rejected", field: "calendar_date", reason: "bad_time" },
      { index: 2, field: "low" },
      { index: 2, field: "high" },
    ]);
    const effects = rejected.map(({ effect }) => effect);
    expect(effects).toEqual(["field_dropped", "record_rejected", "field_dropped", "field_dropped"]);
    // The second accepted record is the third sent record.
    const late = toRejections([{ resource: "activity", position: 1, reason: "too_dense" }], rejected);
    const whole = { effect: "record_rejected", field: null } as const;
    expect(late).toEqual([{ resource: "activity", index: 2, ...whole, reason: "too_dense" }]);
  });

  test("names at most as many fields as a response holds, and rejects further records with invalid fields", () => {
    const activity = Array.from({ length: 5_002 }, () => ({ ...day, steps: -1 }));
    const { accepted, rejected } = acceptBatch({ ...about, resources: { activity } }, user, Date.UTC(2026, 0, 3));
    expect([accepted, rejected.length]).toEqual([5_000, 5_002]);
    const last = { resource: "activity", index: 5_001, effect: "record_rejected" };
    expect(rejected.at(-1)).toEqual({ ...last, field: "steps", reason: "value_out_of_range" });
  });
});
