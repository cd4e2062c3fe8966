import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { parseObservationId, summaryObservationId } from "../../../lib/domain/fhir/observation-id.ts";
import { sampleRows } from "../../../lib/domain/fhir/sample-rows.ts";
import { findSummaryRow, rowsOfSummary, toSummaryObservation } from "../../../lib/domain/fhir/summary-observation.ts";
import { summaryRows } from "../../../lib/domain/fhir/summary-rows.ts";
import { isLoincCode } from "../../../lib/domain/lab-tests/loinc-code.ts";
import { summaryKinds } from "../../../lib/domain/summaries/summary-kinds.ts";

const ID = "11111111-1111-4111-8111-111111111111";

/** Fields that no Observation has: times, identities and texts that other elements carry, and deprecated forms. */
const elsewhere = {
  activity: ["date", "calendar_date", "time_zone", "timezone_offset", "wheelchair_use"],
  sleep: ["date", "calendar_date", "bedtime_start", "bedtime_stop", "timezone_offset", "state", "sleep_stream"],
  workouts: ["calendar_date", "time_start", "time_end", "timezone_offset", "sport", "hr_zones", "map", "provider_id"],
  body: ["date", "calendar_date"],
  profile: ["birth_date", "wheelchair_use", "gender", "sex"],
  meal: ["calendar_date", "timestamp", "energy", "macros", "micros", "data", "provider_id", "priority_id", "source_id"],
  menstrual_cycle: ["period_start", "period_end", "cycle_end", "is_predicted", "menstrual_flow", "cervical_mucus"],
  electrocardiogram: ["session_start", "session_end", "classification", "time_zone"],
  sleep_cycle: [
    "sleep_id",
    "session_start",
    "session_end",
    "stage_start_offset_second",
    "stage_end_offset_second",
    "stage_type",
    "time_zone",
  ],
} as const;
const lists = [
  ...["intermenstrual_bleeding", "contraceptive", "detected_deviations", "ovulation_test", "home_pregnancy_test"],
  ...["home_progesterone_test", "sexual_activity", "basal_body_temperature"],
];
const common = [
  ...["id", "user_id", "source", "created_at", "updated_at", "derived"],
  ...["source_provider", "source_type", "source_app_id", "source_device_id"],
];

describe("the mapping of summaries", () => {
  test.each(summaryKinds.filter(({ name }) => name !== "devices"))("covers every field of $name", ({ name, wire }) => {
    const rows = rowsOfSummary(name);
    const covered = rows.flatMap(({ field, parts, choices, texts }) => [
      ...(field ? [field] : []),
      ...parts.map((part) => part.field),
      ...choices,
      ...texts,
    ]);
    const leaves = Object.entries(wire.shape).flatMap(([field, schema]) => leavesOf(field, schema as z.ZodType));
    const expected = leaves.filter(
      (field) => ![...common, ...lists, ...elsewhere[name as keyof typeof elsewhere]].includes(field),
    );
    expect(covered.toSorted()).toEqual(expected.toSorted());
  });

  test("has codes and ids that name one row each, of valid length", () => {
    const codes = [...summaryRows, ...sampleRows].map(({ code }) => code);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
    for (const row of summaryRows) {
      const id = summaryObservationId(ID, row.code);
      const named = parseObservationId(id);
      expect([id.length <= 64, named?.kind === "summary" && findSummaryRow(named.code)]).toEqual([true, row]);
    }
  });

  test("has valid LOINC codes", () => {
    const codes = summaryRows.flatMap(({ loinc, parts }) => [...loinc, ...parts.flatMap((part) => part.loinc)]);
    expect(codes.filter((code) => !isLoincCode(code))).toEqual([]);
  });

  test("omits values that a summary does not have", () => {
    const fields = { calendar_date: "2026-05-01", steps: 0, distance: null, heart_rate: null };
    const source = { provider: "oura", type: "ring" };
    const record = { id: ID, user_id: ID, fields, updated_at: "2026-05-01T09:00:00.000Z", source };
    const found = rowsOfSummary("activity").flatMap((row) => toSummaryObservation(row, record) ?? []);
    expect(found.map(({ valueQuantity, effectiveDateTime }) => [valueQuantity?.value, effectiveDateTime])).toEqual([
      [0, "2026-05-01"],
    ]);
  });
});

/** The paths of the fields of a schema. Objects count by their fields if the mapping names these. */
function leavesOf(field: string, schema: z.ZodType): string[] {
  if (field !== "heart_rate") return [field];
  const inner = (schema as z.ZodDefault<z.ZodNullable<z.ZodObject>>).unwrap().unwrap();
  return Object.keys(inner.shape).map((name) => `${field}.${name}`);
}
