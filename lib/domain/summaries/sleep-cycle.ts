import * as z from "zod";
import { toRejectionReason } from "../ingest/drop-bad-fields.ts";
import type { RejectionReason } from "../ingest/rejection-reasons.ts";
import { formatInstant } from "../shared/instant.ts";
import { parseSession } from "./session.ts";
import { sourceFields, toSourceFields } from "./source-fields.ts";
import { instantField, shortText } from "./summary-fields.ts";
import { defineSummaryKind } from "./summary-kind.ts";

const offset = z.int().min(0);
const stageType = z.literal([-1, 1, 2, 3, 4, 5]);
const offsets = (description: string) =>
  z.array(offset).describe(`${description} after the start of the session, seconds`);

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
  wireFields: {
    sleep_id: z.uuid().describe("Id of the sleep with the same source and start, which may arrive later"),
    ...fields,
    ...sourceFields,
  },
  ofSource: toSourceFields,
  prepare: (given) => {
    const session = parseSession(given.session_start, given.session_end, null);
    if (typeof session === "string") return session;
    const stages = readStages(given, session.durationS);
    if (typeof stages === "string") return stages;
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

/** Reads the valid stages as three lists. Rejects a cycle without any valid stage. */
function readStages(given: z.output<typeof ingest>, durationS: number) {
  const { stage_start_offset_second: starts, stage_end_offset_second: ends, stage_type: types } = given;
  if (starts.length !== types.length || ends.length !== types.length) return "bad_field";
  const judged = types.map((type, index) => acceptStage({ start: starts[index], end: ends[index], type }, durationS));
  const good = judged.flatMap((one) => ("issue" in one ? [] : [one]));
  const [bad] = judged.filter((one) => "issue" in one);
  if (bad && good.length === 0) return bad.issue;
  const dropped = judged.flatMap((one, index) =>
    "issue" in one ? [{ field: `stage_type.${index}`, reason: one.issue, detail: "The stage is invalid" }] : [],
  );
  const lists = {
    stage_start_offset_second: good.map(({ start }) => start),
    stage_end_offset_second: good.map(({ end }) => end),
    stage_type: good.map(({ type }) => type),
  };
  return { lists, dropped };
}

const stage = z.object({ start: offset, end: offset, type: stageType });

function acceptStage(given: unknown, durationS: number): z.output<typeof stage> | { issue: RejectionReason } {
  const { data, error } = stage.safeParse(given);
  if (!data) return { issue: toRejectionReason(error.issues[0]!) };
  if (data.start > data.end) return { issue: "end_before_start" };
  return data.end > durationS ? { issue: "value_out_of_range" } : data;
}
