import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { utcMidnightMs } from "../ingest/ingestion-bounds.ts";
import { sourceFields, toSourceFields } from "./source-fields.ts";
import { type ChoiceSchema, dateField, knownChoice } from "./summary-fields.ts";
import { defineSummaryKind } from "./summary-kind.ts";

/** Entries of single days. */
const datedEntries = <Fields extends z.core.$ZodLooseShape>(description: string, fields: Fields) =>
  z
    .array(z.object({ date: dateField("Day of the entry"), ...fields }).describe(description))
    .default([])
    .describe(description);

const deviations = [
  "persistent_intermenstrual_bleeding",
  "prolonged_menstrual_periods",
  "irregular_menstrual_cycles",
  "infrequent_menstrual_cycles",
];
const ovulationResults = ["negative", "positive", "luteinizing_hormone_surge", "estrogen_surge", "indeterminate"];
const pregnancy = (choice: ChoiceSchema) =>
  choice(["negative", "positive", "indeterminate"]).describe("Result of the test");

const fieldsWith = (choice: ChoiceSchema) => ({
  period_start: dateField("First day of bleeding"),
  period_end: dateField("Last day of bleeding").nullable().default(null),
  cycle_end: dateField("Last day before the next period").nullable().default(null),
  is_predicted: z.boolean().default(false).describe("Whether the cycle is a forecast"),
  menstrual_flow: datedEntries("Bleeding", {
    flow: choice(["unspecified", "none", "light", "medium", "heavy"]).describe("Amount of bleeding"),
  }),
  cervical_mucus: datedEntries("Cervical mucus", {
    quality: choice(["dry", "sticky", "creamy", "watery", "egg_white"]).describe("Quality of the mucus"),
  }),
  intermenstrual_bleeding: datedEntries("Intermenstrual bleeding", {}),
  contraceptive: datedEntries("Contraceptives in use", {
    type: choice(["unspecified", "implant", "injection", "iud", "intravaginal_ring", "oral", "patch"]).describe(
      "Contraceptive",
    ),
  }),
  detected_deviations: datedEntries("Deviations that the provider detected", {
    deviation: choice(deviations).describe("Deviation"),
  }),
  ovulation_test: datedEntries("Ovulation tests", {
    test_result: choice(ovulationResults).describe("Result of the test"),
  }),
  home_pregnancy_test: datedEntries("Pregnancy tests", { test_result: pregnancy(choice) }),
  home_progesterone_test: datedEntries("Progesterone tests", { test_result: pregnancy(choice) }),
  sexual_activity: datedEntries("Sexual activity", {
    protection_used: z.boolean().nullable().default(null).describe("Whether protection was used"),
  }),
  basal_body_temperature: datedEntries("Basal body temperature, °C", {
    value: z.number().min(20).max(50).describe("Temperature, °C"),
  }),
});

/** The fields with the start and the end of the time that a cycle must not exceed. */
const DAY_FIELDS = ["period_start", "period_start"] as const;

const isBefore = (end: string | null, start: string): boolean => end !== null && end < start;

/** A menstrual cycle: one per source and first day of the period. */
export const menstrualCycle = defineSummaryKind({
  name: "menstrual_cycle",
  days: { begin: "period_start", keyDaysOff: 0 },
  ingest: z.object(fieldsWith(knownChoice)),
  wireFields: { ...fieldsWith(openEnum), ...sourceFields },
  ofSource: toSourceFields,
  prepare: (given) => {
    const { period_start, is_predicted } = given;
    const startMs = utcMidnightMs(period_start);
    if (Number.isNaN(startMs)) return { field: "period_start", reason: "bad_time" };
    const [early] = (["period_end", "cycle_end"] as const).filter((name) => isBefore(given[name], period_start));
    if (early) return { field: early, reason: "end_before_start" };
    // A forecast may lie in the future, and the ends of a running cycle are forecasts too.
    const span = { startMs, endMs: is_predicted ? null : startMs, offsetS: 0, fields: DAY_FIELDS };
    return { key: period_start, providerId: null, fields: given, span };
  },
});
