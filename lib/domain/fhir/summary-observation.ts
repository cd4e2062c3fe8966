import type { SourceOrigin } from "../connections/sources/source.ts";
import { parseInstant } from "../shared/instant.ts";
import { toEffective } from "./effective.ts";
import { toChoice, toChoiceComponents, toComponents, toQuantity, toValue } from "./measure.ts";
import { observationFrame } from "./observation-frame.ts";
import { summaryObservationId } from "./observation-id.ts";
import type { CodeableConcept, Effective, Observation, ObservationComponent, ObservationValue } from "./resources.ts";
import { entryComponents, nutrientComponents, stageComponents, zoneComponents } from "./summary-lists.ts";
import { type ObservedSummary, type SummaryRow, summaryRows } from "./summary-rows.ts";
import { systems } from "./systems.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A stored summary and its source. */
export interface ObservedRecord {
  readonly id: string;
  readonly user_id: string;
  readonly fields: Fields;
  readonly updated_at: string;
  /** Present if the service derived it from samples. */
  readonly derived?: number | undefined;
  readonly source: SourceOrigin;
}

const derivedMethod: CodeableConcept = {
  coding: [{ system: systems.choice, code: "method.derived" }],
  text: "Derived from the samples of the day",
};

/** The rows of a kind of summary. */
export const rowsOfSummary = (kind: string): readonly SummaryRow[] => summaryRows.filter((row) => row.kind === kind);

/** The row that the id of an Observation names. */
export const findSummaryRow = (idPart: string): SummaryRow | undefined =>
  summaryRows.find(({ code }) => summaryObservationId("", code) === `.${idPart}`);

/** Converts a summary to the Observation of a row; undefined if the summary has no value for it. */
export function toSummaryObservation(row: SummaryRow, record: ObservedRecord): Observation | undefined {
  const { fields, derived } = record;
  const value = observedValue(row, fields);
  const isEmpty = row.field !== undefined && !value;
  if (isEmpty) return undefined;
  const component = [...fieldComponents(row, fields), ...(lists[row.kind]?.(fields) ?? [])];
  const providerId = row.kind === "workouts" || row.kind === "meal" ? fields.provider_id : undefined;
  return {
    ...observationFrame(row, {
      id: summaryObservationId(record.id, row.code),
      userId: record.user_id,
      source: record.source,
      receivedAt: Date.parse(record.updated_at),
    }),
    ...(typeof providerId === "string" ? { identifier: [{ system: systems.providerId, value: providerId }] } : {}),
    status: fields.state === "tentative" || fields.is_predicted === true ? "preliminary" : "final",
    ...summaryEffective(row.kind, record),
    ...value,
    ...(derived === undefined ? {} : { method: derivedMethod }),
    ...(component.length === 0 ? {} : { component }),
  };
}

/** Components of the lists of a summary. */
const lists: Partial<Record<ObservedSummary, (fields: Fields) => ObservationComponent[]>> = {
  workouts: zoneComponents,
  meal: nutrientComponents,
  menstrual_cycle: entryComponents,
  sleep_cycle: stageComponents,
};

const fieldAt = (fields: Fields, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => (value as Fields | null | undefined)?.[name], fields);

function observedValue(row: SummaryRow, fields: Fields): ObservationValue | undefined {
  if (row.field !== undefined) return toValue(row, fieldAt(fields, row.field));
  const { classification } = fields;
  if (typeof classification === "string") return { valueCodeableConcept: toChoice("classification", classification) };
  const sport = fields.sport as { slug: string; name: string } | undefined;
  if (sport) {
    const coding = { system: systems.choice, code: `sport.${sport.slug}` };
    return { valueCodeableConcept: { coding: [coding], text: sport.name } };
  }
  const energy = row.kind === "meal" ? fieldAt(fields, "energy.value") : undefined;
  return typeof energy === "number" ? { valueQuantity: toQuantity(row, energy) } : undefined;
}

function fieldComponents({ kind, parts, choices, texts }: SummaryRow, fields: Fields): ObservationComponent[] {
  return [
    ...parts.flatMap((measure) => toComponents(measure, fieldAt(fields, measure.field))),
    ...choices.flatMap((name) => toChoiceComponents(`${kind}.${name}`, name, fields[name] as string | null)),
    ...texts.flatMap((name) =>
      toComponents({ code: `${kind}.${name}`, text: name.replaceAll("_", " "), loinc: [] }, fields[name]),
    ),
  ];
}

/** The fields with the start and the end of each kind. A profile has no time, so that of its receipt counts. */
const spans: Partial<Record<ObservedSummary, readonly [start: string, end: string]>> = {
  sleep: ["bedtime_start", "bedtime_stop"],
  workouts: ["time_start", "time_end"],
  meal: ["timestamp", "timestamp"],
  electrocardiogram: ["session_start", "session_end"],
  sleep_cycle: ["session_start", "session_end"],
};

/** When a summary holds: its day, its period, or when it was received. */
function summaryEffective(
  kind: ObservedSummary,
  { fields, updated_at }: Pick<ObservedRecord, "fields" | "updated_at">,
): Effective {
  const span = spans[kind];
  if (span) {
    const [startMs = 0, endMs = 0] = span.map((name) => parseInstant(fields[name])?.ms);
    return toEffective(startMs, endMs, (fields.timezone_offset as number | null | undefined) ?? null);
  }
  if (kind === "profile") return { effectiveDateTime: updated_at };
  if (kind !== "menstrual_cycle") return { effectiveDateTime: String(fields.calendar_date) };
  const end = fields.cycle_end ?? fields.period_end;
  return { effectivePeriod: { start: String(fields.period_start), ...(end ? { end: String(end) } : {}) } };
}
