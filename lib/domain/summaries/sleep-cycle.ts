import * as z from "zod";
import { formatInstant } from "../timeseries/instant.ts";
import { readSession } from "./session.ts";
import { sourceFields, sourceFieldsOf } from "./source-fields.ts";
import { instant, shortText } from "./summary-fields.ts";
import { summaryKind } from "./summary-kind.ts";

const offsets = (description: string) =>
  z.array(z.int().min(0)).describe(`${description} after the begin of the session, seconds`);

const fields = {
  session_start: instant("Begin of the sleep period"),
  session_end: instant("End of the sleep period"),
  stage_start_offset_second: offsets("Begin of each stage"),
  stage_end_offset_second: offsets("End of each stage"),
  stage_type: z
    .array(z.literal([-1, 1, 2, 3, 4, 5]))
    .describe("Each stage: -1 missing, 1 deep, 2 light, 3 rem, 4 awake, 5 entered by hand"),
  time_zone: shortText("IANA time zone"),
};

/** The stages of a period of sleep; one per source and begin. */
export const sleepCycle = summaryKind({
  name: "sleep_cycle",
  days: { begin: "session_start", keyDaysOff: 0 },
  ingest: z.object(fields),
  wireFields: {
    sleep_id: z.uuid().describe("Id that the sleep of the same source and begin has, or will have"),
    ...fields,
    ...sourceFields,
  },
  ofSource: sourceFieldsOf,
  prepare: (given) => {
    const session = readSession(given.session_start, given.session_end, null);
    if (typeof session === "string") return session;
    const { stage_start_offset_second: starts, stage_end_offset_second: ends, stage_type: types } = given;
    if (starts.length !== types.length || ends.length !== types.length) return "bad_field";
    if (starts.some((start, index) => start > (ends[index] ?? 0))) return "end_before_start";
    if (ends.some((end) => end > session.durationS)) return "value_out_of_range";
    const sessionStart = formatInstant(session.startMs);
    const times = { session_start: sessionStart, session_end: formatInstant(session.endMs) };
    const links = { sleep_id: { kind: "sleep", key: sessionStart } } as const;
    return { key: sessionStart, providerId: null, fields: { ...given, ...times }, links, span: session };
  },
});
