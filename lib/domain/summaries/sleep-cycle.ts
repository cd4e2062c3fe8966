import * as z from "zod";
import { toRejectionReason } from "../ingest/drop-bad-fields.ts";
import type { DroppedField, Refusal } from "../ingest/refusal.ts";
import { formatInstant } from "../shared/instant.ts";
import { parseSession } from "./session.ts";
import { sourceFields, toSourceFields } from "./source-fields.ts";
import { instantField, shortText } from "./summary-fields.ts";
import { defineSummaryKind } from "./summary-kind.ts";

const offset = z.int().min(0);
const stageType = z.literal([-1, 1, 2, 3, 4, 5]);
const offsets = (description: string) =>
  z.array(offset).describe(`${description} after the start of the session, seconds. All three lists have one length`);

const fields = {
  session_start: instantField("Start of the sleep period"),
  session_end: instantField("End of the sleep period"),
  stage_start_offset_second: offsets("Start of each stage"),
  stage_end_offset_second: offsets("End of each stage"),
  stage_type: z.array(stageType).describe("Each stage: -1 missing, 1 deep, 2 light, 3 rem, 4 awake, 5 entered by hand"),
  time_zone: shortText("IANA time zone"),
};

/** Each stage is validated on its own. */
const list = z.array(z.unknown());
const ingest = z.object({
  ...fields,
  stage_start_offset_second: list,
  stage_end_offset_second: list,
  stage_type: list,
});

/** The stages of a sleep period: one cycle per source and start. */
export const sleepCycle = defineSummaryKind({
  name: "sleep_cycle",
  days: { begin: "session_start", keyDaysOff: 0 },
  ingest,
  record: z.object(fields),
  wireFields: {
    sleep_id: z.uuid().describe("Id of the sleep with the same source and start, which may arrive later"),
    ...fields,
    ...sourceFields,
  },
  ofSource: toSourceFields,
  prepare: (given) => {
    const session = parseSession(given, ["session_start", "session_end"], null);
    if ("reason" in session) return session;
    const stages = readStages(given, session.durationS);
    if ("reason" in stages) return stages;
    const sessionStart = formatInstant(session.startMs);
    const times = { session_start: sessionStart, session_end: formatInstant(session.endMs) };
    const links = { sleep_id: { kind: "sleep", key: sessionStart } } as const;
    const { dropped, lists } = stages;
    return {
      key: sessionStart,
      providerId: null,
      fields: { ...given, ...lists, ...times },
      links,
      span: session,
      dropped,
    };
  },
});

/** The valid stages as three lists. */
interface Stages {
  readonly lists: Pick<z.output<typeof ingest>, `stage_${"start_offset_second" | "end_offset_second" | "type"}`>;
  readonly dropped: readonly DroppedField[];
}

/** Reads the valid stages. Refuses a cycle without any valid stage. */
function readStages(given: z.output<typeof ingest>, durationS: number): Stages | Refusal {
  const { stage_start_offset_second: starts, stage_end_offset_second: ends, stage_type: types } = given;
  const odd = findOddList(starts.length, ends.length, types.length);
  if (odd) return { field: partFields[odd], reason: "bad_field" };
  const judged = types.map((type, index) => acceptStage({ start: starts[index], end: ends[index], type }, durationS));
  const good = judged.flatMap((one) => ("reason" in one ? [] : [one]));
  const dropped = judged.flatMap((one, index) => ("reason" in one ? [{ ...one, field: `${one.field}.${index}` }] : []));
  if (dropped[0] && good.length === 0) return dropped[0];
  const lists = {
    stage_start_offset_second: good.map(({ start }) => start),
    stage_end_offset_second: good.map(({ end }) => end),
    stage_type: good.map(({ type }) => type),
  };
  return { lists, dropped };
}

const stage = z.object({ start: offset, end: offset, type: stageType });

/** The list that is longer or shorter than the others; undefined if all have one length. */
function findOddList(starts: number, ends: number, types: number): keyof typeof partFields | undefined {
  if (starts === ends) return types === starts ? undefined : "type";
  return starts === types ? "end" : "start";
}

/** The list that each part of a stage is in. */
const partFields = {
  start: "stage_start_offset_second",
  end: "stage_end_offset_second",
  type: "stage_type",
} as const;

function acceptStage(given: unknown, durationS: number): z.output<typeof stage> | DroppedField {
  const { data, error } = stage.safeParse(given);
  if (!data) {
    const [issue] = error.issues as [z.core.$ZodIssue];
    return { field: partFields[issue.path[0] as keyof typeof partFields], reason: toRejectionReason(issue) };
  }
  if (data.start > data.end) return { field: partFields.end, reason: "end_before_start" };
  return data.end > durationS ? { field: partFields.end, reason: "value_out_of_range" } : data;
}
