import * as z from "zod";
import { componentName } from "../../contract/component-name.ts";
import { type WireSource, wireSource } from "../connections/sources/source.ts";
import { dropBadFields, isTimeField } from "../ingest/drop-bad-fields.ts";
import { type AcceptanceContext, refuseTimeSpan, type TimeSpan, utcMidnightMs } from "../ingest/ingestion-bounds.ts";
import { type AcceptanceResult, type DroppedField, droppedPart, type Refusal } from "../ingest/refusal.ts";
import { DERIVED_FROM } from "./derived-from.ts";
import { START_OFFSET } from "./start-offset.ts";
import type { SummaryName } from "./summary-names.ts";

/** A summary in its stored form. */
export interface AcceptedSummary {
  /**
   * Natural key: with user, kind, provider, source type, device and app it identifies the summary; the provider's id does
   * so without device and app. A later summary with the same key replaces it.
   */
  readonly key: string;
  /** The provider's id, by which streams find their summary; null without one. */
  readonly providerId: string | null;
  /** The fields in wire form. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Extra fields, each the id of another summary of the same user and source. */
  readonly links?: Readonly<Record<string, { readonly kind: SummaryName; readonly key: string }>>;
}

/**
 * How a kind of summary relates to days. The day of a summary is its `calendar_date`, or else the date its key starts
 * with.
 */
interface SummaryDays {
  /** The field with the start time. */
  readonly begin: string;
  /**
   * Maximum distance, days, between its day and the date its key starts with; absent if keys do not start with a date.
   */
  readonly keyDaysOff?: number;
}

/** Returns the day of a summary, YYYY-MM-DD; undefined if summaries of its kind have no day. */
export function findSummaryDay({ days }: Pick<SummaryKind, "days">, { fields, key }: AcceptedSummary) {
  if (typeof fields.calendar_date === "string") return fields.calendar_date;
  return days ? key.slice(0, 10) : undefined;
}

/** Metadata of a summary beside its own fields. */
export interface SummaryMetadata {
  readonly id: string;
  readonly user_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** How often the service derived it from samples; absent if its source sent it. */
  readonly derived?: number | undefined;
}

/** A kind of summary: its schemas and its validation. */
export interface SummaryKind {
  readonly name: SummaryName;
  /** Absent if summaries have no day. */
  readonly days?: SummaryDays;
  /** Whether the service derives a summary from samples if the source sends none; responses then mark derived ones. */
  readonly isDerivable?: boolean;
  /** Ingest schema. */
  readonly ingest: z.ZodObject;
  /** Schema of a valid record for senders. It differs from `ingest` where `prepare` validates elements. */
  readonly record: z.ZodObject;
  /** Wire schema of reads and events. */
  readonly wire: z.ZodObject;
  /** The wire fields that follow from the source. */
  readonly ofSource: (source: WireSource) => Readonly<Record<string, unknown>>;
  /** Validates an ingested summary and converts it to the stored form, without invalid fields. */
  accept(raw: unknown, context: AcceptanceContext): AcceptanceResult<AcceptedSummary>;
}

/** A summary with its time span, absent for a summary without time. The offset of midnights of dates is 0. */
export type PreparedSummary = AcceptedSummary & {
  readonly span?: TimeSpan;
  /** Fields that are invalid in combination with others, and are omitted. */
  readonly dropped?: readonly DroppedField[];
};

interface SummaryDefinition<Ingest extends z.ZodObject> extends Pick<SummaryKind, "name" | "days" | "isDerivable"> {
  readonly ingest: Ingest;
  /** By default `ingest`. */
  readonly record?: z.ZodObject;
  /** The wire fields. */
  readonly wireFields: z.core.$ZodLooseShape;
  /** The wire fields that follow from the source; none by default. */
  readonly ofSource?: SummaryKind["ofSource"];
  /** Computes the derived fields, or returns why the summary is refused. */
  readonly prepare: (given: z.output<Ingest>, context: AcceptanceContext) => PreparedSummary | Refusal;
  /** Fields that identify a summary beside times; a summary with an invalid one is rejected. */
  readonly identity?: readonly string[];
  /** Replacements for invalid values of fields that responses always have. */
  readonly fallbacks?: Readonly<Record<string, unknown>>;
}

/** Maximum length of a summary as JSON, characters. At up to three bytes each it fits a DynamoDB item of 400 KB. */
const MAX_SUMMARY_CHARACTERS = 120_000;

/** Defines a kind of summary. */
export function defineSummaryKind<Ingest extends z.ZodObject>(definition: SummaryDefinition<Ingest>): SummaryKind {
  const { ingest, wireFields, prepare, identity = [], fallbacks = {}, ...rest } = definition;
  const isEssential = (path: readonly PropertyKey[]) => {
    const name = String(path[0]);
    return isTimeField(name) || identity.includes(name);
  };
  return {
    ofSource: () => ({}),
    ...rest,
    ingest,
    record: definition.record ?? ingest,
    wire: z
      .object({ ...wireFields, ...metadataFields, ...(rest.isDerivable ? { derived } : {}) })
      .meta({ id: componentName(rest.name, "Summary") }),
    accept(raw, context): AcceptanceResult<AcceptedSummary> {
      const parsed = dropBadFields(ingest, raw, { isEssential, fallbacks });
      if ("refusal" in parsed) return parsed.refusal;
      const prepared = prepare(parsed.data, context);
      if ("reason" in prepared) return prepared;
      const { span, dropped: unfit = [], ...accepted } = prepared;
      const refusal = span && refuseTimeSpan(span, context);
      if (refusal) return refusal;
      if (jsonLength(accepted.fields) > MAX_SUMMARY_CHARACTERS) {
        const longest = longestField(raw, (name) => Object.hasOwn(ingest.shape, name) && !isEssential([name]));
        if (longest === undefined) return { field: null, reason: "too_large" };
        return alsoDropped({ field: longest, reason: "too_large" }, this.accept(without(raw, longest), context));
      }
      const dropped = [...parsed.dropped, ...unfit];
      return isEverythingDropped(raw, dropped) ? dropped[0]! : { ok: accepted, ...droppedPart(dropped) };
    },
  };
}

const jsonLength = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/** The longest field that can be dropped; undefined when none can. */
function longestField(raw: unknown, isDroppable: (name: string) => boolean): string | undefined {
  const fields = Object.entries(raw as object).filter(([name]) => isDroppable(name));
  const [longest] = fields.sort(([, one], [, other]) => jsonLength(other) - jsonLength(one));
  return longest?.[0];
}

const without = (raw: unknown, field: string) =>
  Object.fromEntries(Object.entries(raw as object).filter(([name]) => name !== field));

function alsoDropped<T>(field: DroppedField, judged: AcceptanceResult<T>): AcceptanceResult<T> {
  return "reason" in judged ? judged : { ok: judged.ok, dropped: [field, ...(judged.dropped ?? [])] };
}

/** Whether every field of a summary was dropped. */
function isEverythingDropped(raw: unknown, dropped: readonly DroppedField[]): boolean {
  return dropped.length > 0 && Object.keys(raw as object).every((name) => dropped.some(({ field }) => field === name));
}

/** The stored fields that responses contain. */
export function shownFields(fields: AcceptedSummary["fields"]): AcceptedSummary["fields"] {
  const { [DERIVED_FROM]: _, [START_OFFSET]: __, ...shown } = fields;
  return shown;
}

/** Converts a stored summary to its wire form. */
export function toWireSummary(
  kind: SummaryKind,
  fields: AcceptedSummary["fields"],
  frame: SummaryMetadata,
  source: WireSource,
) {
  const { id, user_id, created_at, updated_at, derived } = frame;
  const origin = { source, ...(kind.isDerivable ? { derived: derived !== undefined } : {}) };
  return { id, user_id, ...kind.ofSource(source), ...shownFields(fields), ...origin, created_at, updated_at };
}

/** Prepares a summary of one day: key, time span and deprecated `date`. Refuses an invalid day. */
export function prepareDailySummary(
  given: { calendar_date: string } & Record<string, unknown>,
): PreparedSummary | Refusal {
  const startMs = utcMidnightMs(given.calendar_date);
  if (Number.isNaN(startMs)) return { field: "calendar_date", reason: "bad_time" };
  const fields = { date: `${given.calendar_date}T00:00:00+00:00`, ...given };
  const span = { startMs, endMs: startMs, offsetS: 0, fields: ["calendar_date", "calendar_date"] } as const;
  return { key: given.calendar_date, providerId: null, fields, span };
}

const metadataFields = {
  id: z.uuid(),
  user_id: z.uuid(),
  source: wireSource,
  created_at: z.iso.datetime({ offset: true }),
  updated_at: z.iso.datetime({ offset: true }),
};

const derived = z
  .boolean()
  .describe("Whether the service derived it from the day's samples because the source sent no summary");
