import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { formatInstant } from "../shared/instant.ts";
import { parseSession } from "./session.ts";
import { sourceFields, toSourceFields } from "./source-fields.ts";
import { type ChoiceSchema, instantField, knownChoice, quantity, shortText, whole } from "./summary-fields.ts";
import { defineSummaryKind } from "./summary-kind.ts";

const fieldsWith = (choice: ChoiceSchema) => ({
  session_start: instantField("Start of the recording"),
  session_end: instantField("End of the recording"),
  voltage_sample_count: z
    .int()
    .min(0)
    .max(100_000_000)
    .describe("Number of recorded voltages; 0 if the source sends no valid count"),
  heart_rate_mean: whole("Mean heart rate, bpm", 10, 400),
  sampling_frequency_hz: quantity("Voltages per second, Hz", 0, 100_000),
  classification: choice(["sinus_rhythm", "atrial_fibrillation", "inconclusive"])
    .nullable()
    .default(null)
    .describe("Rhythm that the device found"),
  inconclusive_cause: choice(["high_heart_rate", "low_heart_rate", "poor_reading"])
    .nullable()
    .default(null)
    .describe("Why the recording is inconclusive"),
  algorithm_version: shortText("Version of the classification algorithm"),
  time_zone: shortText("IANA time zone"),
  source_device_model: shortText("Model of the device"),
});

/** An electrocardiogram without its voltages: one per source and start. */
export const electrocardiogram = defineSummaryKind({
  name: "electrocardiogram",
  days: { begin: "session_start", keyDaysOff: 0 },
  fallbacks: { voltage_sample_count: 0 },
  ingest: z.object(fieldsWith(knownChoice)),
  wireFields: { ...fieldsWith(openEnum), ...sourceFields },
  ofSource: toSourceFields,
  prepare: (given) => {
    const session = parseSession(given, ["session_start", "session_end"], null);
    if ("reason" in session) return session;
    const sessionStart = formatInstant(session.startMs);
    const times = { session_start: sessionStart, session_end: formatInstant(session.endMs) };
    return { key: sessionStart, providerId: null, fields: { ...given, ...times }, span: session };
  },
});
