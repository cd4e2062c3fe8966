import * as z from "zod";
import { formatInstant, parseInstant } from "../shared/instant.ts";
import { nutrition } from "./nutrition.ts";
import { localDate } from "./session.ts";
import { sourceFields, sourceNumbers, toSourceFields, toSourceNumbers } from "./source-fields.ts";
import { dateField, instantField } from "./summary-fields.ts";
import { defineSummaryKind } from "./summary-kind.ts";

const shared = {
  timestamp: instantField("Time of the meal"),
  name: z.string().min(1).max(1_000).describe("Name of the meal"),
  ...nutrition,
  data: z
    .record(z.string().min(1).max(1_000), z.object(nutrition).describe("Nutrients of one food"))
    .default({})
    .describe("Nutrients of each food of the meal, by name"),
};

const providerId = z.string().min(1).max(256);

/** A meal: one per source and provider's id, or per instant if the provider has no ids. */
export const meal = defineSummaryKind({
  name: "meal",
  days: { begin: "timestamp" },
  identity: ["provider_id"],
  fallbacks: { name: "Unknown" },
  ingest: z.object({
    ...shared,
    calendar_date: dateField("Defaults to the day of the instant in the user's local time").optional(),
    provider_id: providerId.nullable().default(null).describe("The provider's id of the meal; defaults to its instant"),
  }),
  wireFields: {
    calendar_date: dateField("Day in the user's local time"),
    ...shared,
    provider_id: providerId.describe("The provider's id of the meal, or its instant"),
    ...sourceNumbers,
    source_app_id: sourceFields.source_app_id,
    source_device_id: sourceFields.source_device_id,
  },
  ofSource: (source) => {
    const { source_app_id, source_device_id } = toSourceFields(source);
    return { ...toSourceNumbers(source), source_app_id, source_device_id };
  },
  prepare: (given, { bounds }) => {
    const eaten = parseInstant(given.timestamp);
    if (eaten === undefined) return { field: "timestamp", reason: "bad_time" };
    const timestamp = formatInstant(eaten.ms);
    const key = given.provider_id ?? timestamp;
    const day = given.calendar_date ?? localDate(eaten.ms, eaten.offsetS, bounds.timeZone);
    const fields = { ...given, provider_id: key, timestamp, calendar_date: day };
    return {
      key,
      providerId: given.provider_id,
      fields,
      span: { startMs: eaten.ms, endMs: eaten.ms, offsetS: eaten.offsetS, fields: ["timestamp", "timestamp"] },
    };
  },
});
