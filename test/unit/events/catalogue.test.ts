import { describe, expect, test } from "vitest";
import { catalogue, type EventType, findEventType, isSubscribable } from "../../../lib/events/catalogue/catalogue.ts";
import { eventFamilies } from "../../../lib/events/catalogue/event-families.ts";
import { payloadSchemaOf } from "../../../lib/events/catalogue/event-payloads.ts";

/** The resources of the published catalogue: ten summaries and fifty timeseries. */
const published = `
  activity body electrocardiogram meal menstrual_cycle profile sleep sleep_cycle workouts workout_stream
  afib_burden basal_body_temperature blood_oxygen blood_pressure body_mass_index body_temperature
  body_temperature_delta caffeine calories_active calories_basal carbohydrates cholesterol daylight_exposure distance
  electrocardiogram_voltage fall fat floors_climbed forced_expiratory_volume_1 forced_vital_capacity glucose
  handwashing heart_rate_alert heart_rate_recovery_one_minute heartrate hrv ige igg inhaler_usage insulin_injection
  lean_body_mass mindfulness_minutes note peak_expiratory_flow_rate respiratory_rate sleep_apnea_alert
  sleep_breathing_disturbance stand_duration stand_hour steps stress_level uv_exposure vo2_max waist_circumference
  water weight wheelchair_push workout_distance workout_duration workout_swimming_stroke
`
  .trim()
  .split(/\s+/);

/** The remaining types of the published catalogue. */
const single = `
  provider.connection.created provider.connection.error provider.device.created provider.device.updated
  labtest.order.created labtest.order.updated labtest.appointment.created labtest.appointment.updated
  labtest.result.critical labtest.match_review.created labtest.match_review.updated
  lab_report.parsing_job.created lab_report.parsing_job.updated continuous_query.result_table.changed
`
  .trim()
  .split(/\s+/);

const typesOf = (name: string) => [
  `daily.data.${name}.created`,
  `daily.data.${name}.updated`,
  `historical.data.${name}.created`,
];
const types: readonly string[] = catalogue.map(({ type }) => type);

describe("the event catalogue", () => {
  test("contains the 194 published types, exhausted deliveries, stale connections and sleep stages, each once", () => {
    const all = [...published.flatMap(typesOf), ...single];
    expect(all).toHaveLength(194);
    const ours = [
      "message.attempt.exhausted",
      "provider.connection.stale",
      "provider.connection.recovered",
      "provider.consent.given",
      "provider.consent.ended",
      ...typesOf("hypnogram"),
    ];
    expect(types.toSorted()).toEqual([...all, ...ours].toSorted());
  });

  test("assigns every type to the family of its prefix, and has types in every family", () => {
    for (const { type, family } of catalogue) {
      const fitting = eventFamilies.filter(({ prefix }) => type.startsWith(prefix)).map(({ name }) => name);
      expect(fitting, type).toEqual([family]);
    }
    expect(new Set(catalogue.map(({ family }) => family)).size).toBe(eventFamilies.length);
  });

  test("has a payload schema for each type", () => {
    expect(catalogue.filter(({ type }) => payloadSchemaOf(type) === undefined)).toEqual([]);
  });

  test("finds a type by its exact name", () => {
    expect(findEventType("daily.data.steps.created")).toMatchObject({ family: "daily", namesUser: true });
    expect(findEventType("labtest.match_review.created")).toMatchObject({ family: "labtest", namesUser: false });
    expect(findEventType("daily.data.steps")).toBeUndefined();
    expect(findEventType("constructor")).toBeUndefined();
  });
});

describe("the payload schema of", () => {
  const accepts = (type: EventType, data: unknown) => payloadSchemaOf(type).safeParse(data).success;

  test("a historical event has the range", () => {
    const range = { start_date: "2026-01-01T00:00:00.000Z", end_date: "2026-01-31T00:00:00.000Z" };
    const data = { user_id: "6a1f6f3e-1df0-4bd4-8f0e-0d5c6d0d3c11", ...range, is_final: true, provider: "oura" };
    for (const name of published) {
      expect([name, accepts(`historical.data.${name}.created` as EventType, data)]).toEqual([name, true]);
    }
    expect(accepts("historical.data.steps.created", { ...data, is_final: false })).toBe(false);
  });

  test("a changed result table has a list of changes", () => {
    const change = { query_id: "6a1f6f3e-1df0-4bd4-8f0e-0d5c6d0d3c11", query_slug: "steps", data: { day: [1, 2] } };
    expect(accepts("continuous_query.result_table.changed", [change])).toBe(true);
    expect(accepts("continuous_query.result_table.changed", change)).toBe(false);
  });
});

describe("an endpoint filter", () => {
  test.each(["daily.data.weight.updated", "message.attempt.exhausted", "raw.oura.sleep", "raw.whoop_v2.recovery.v1"])(
    "may name %s",
    (type) => expect(isSubscribable(type)).toBe(true),
  );

  test.each([
    "daily.data.body_weight.created",
    "daily.data.steps.deleted",
    "daily.data.",
    "historical.data.steps.updated",
    "Daily.data.steps.created",
    " daily.data.steps.created",
    "raw.oura",
    "raw.oura.",
    "raw.nobody.sleep",
    "raw.oura.sleep stages",
    "*",
    "",
  ])("may not name %j", (type) => expect(isSubscribable(type)).toBe(false));
});
