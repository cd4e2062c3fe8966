import * as z from "zod";
import { componentName } from "../../contract/component-name.ts";
import { dropBadFields, isTimeField, reasonOf } from "../drop-bad-fields.ts";
import { type DroppedField, droppedPart, type Judged } from "../dropped-field.ts";
import { type WireSource, wireSource } from "../sources/source.ts";
import { type AcceptanceContext, checkWindow, midnight, type RejectionReason } from "../timeseries/acceptance.ts";
import type { SummaryName } from "./summary-names.ts";

/** A summary in the form in which it is stored. */
export interface AcceptedSummary {
  /** With user, kind, provider and source type the identity: a later summary of the same key replaces this one. */
  readonly key: string;
  /** The provider's own id, by which streams find their summary; null when it gave none. */
  readonly providerId: string | null;
  /** The fields as answered. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Further fields, each the id of another summary of the same user and source. */
  readonly links?: Readonly<Record<string, { readonly kind: SummaryName; readonly key: string }>>;
}

/** How summaries lie in time. The day of one is its `calendar_date`, else the date that its key begins with. */
export interface DaysOfKind {
  /** The field that tells when one begins. */
  readonly begin: string;
  /** By how many days at most its day differs from the date that its key begins with; absent where that is no date. */
  readonly keyDaysOff?: number;
}

/** What an answered summary has beside its own fields. */
export interface SummaryFrame {
  readonly id: string;
  readonly user_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** How often the service made it of samples; absent where its source gave it. */
  readonly derived?: number | undefined;
}

/** One kind of summary: its schemas, and how one is taken in. */
export interface SummaryKind {
  readonly name: SummaryName;
  /** Absent where summaries are of no day. */
  readonly days?: DaysOfKind;
  /** Whether the service makes one of samples where the source gives none; answers then tell which are. */
  readonly isDerivable?: boolean;
  /** What a sender gives. */
  readonly ingest: z.ZodObject;
  /** What reads and events answer. */
  readonly wire: z.ZodObject;
  /** The fields of the answer that follow from the source. */
  readonly ofSource: (source: WireSource) => Readonly<Record<string, unknown>>;
  /** Checks a summary that a sender gave and brings it into the stored form, without the fields that can not be. */
  accept(raw: unknown, context: AcceptanceContext): Judged<AcceptedSummary>;
}

/**
 * A summary with the span of time that it is about (epoch ms), absent where it is about none; a forecast has no end.
 * `offsetS` is how far from UTC it was (0 for midnights of dates), null or absent when unknown.
 */
export type PreparedSummary = AcceptedSummary & {
  readonly span?: { readonly startMs: number; readonly endMs: number | null; readonly offsetS?: number | null };
  /** What can not be beside the other fields, and is not among them. */
  readonly dropped?: readonly DroppedField[];
};

interface SummaryDefinition<Ingest extends z.ZodObject> extends Pick<SummaryKind, "name" | "days" | "isDerivable"> {
  readonly ingest: Ingest;
  /** The fields of the answer. */
  readonly wireFields: z.core.$ZodLooseShape;
  /** Those of them that follow from the source; by default none. */
  readonly ofSource?: SummaryKind["ofSource"];
  /** Fills in what follows from the rest, or tells why the summary cannot be. */
  readonly prepare: (given: z.output<Ingest>) => PreparedSummary | RejectionReason;
  /** Fields beside times by which a summary is known, so that without a good one there is none. */
  readonly identity?: readonly string[];
  /** What stands for a bad value of a field that answers always have. */
  readonly fallbacks?: Readonly<Record<string, unknown>>;
}

/** The longest summary as JSON; with up to three bytes a character it fits a table item of 400 KB. */
const MOST_CHARACTERS = 120_000;

/** Declares a kind of summary. */
export function summaryKind<Ingest extends z.ZodObject>(definition: SummaryDefinition<Ingest>): SummaryKind {
  const { ingest, wireFields, prepare, identity = [], fallbacks = {}, ...rest } = definition;
  const isEssential = (path: readonly PropertyKey[]) => {
    const name = String(path[0]);
    return isTimeField(name) || identity.includes(name);
  };
  return {
    ofSource: () => ({}),
    ...rest,
    ingest,
    wire: z
      .object({ ...wireFields, ...frame, ...(rest.isDerivable ? { derived } : {}) })
      .meta({ id: componentName(rest.name, "Summary") }),
    accept(raw, context): Judged<AcceptedSummary> {
      const parsed = dropBadFields(ingest, raw, { isEssential, fallbacks });
      if ("issue" in parsed) return { reason: reasonOf(parsed.issue) };
      const prepared = prepare(parsed.data);
      if (typeof prepared === "string") return { reason: prepared };
      const { span, dropped: unfit = [], ...accepted } = prepared;
      const reason = span && checkWindow(span.startMs, span.endMs ?? Number.NEGATIVE_INFINITY, context, span.offsetS);
      if (reason !== undefined) return { reason };
      if (lengthOf(accepted.fields) > MOST_CHARACTERS) {
        const longest = longestField(raw, (name) => Object.hasOwn(ingest.shape, name) && !isEssential([name]));
        if (longest === undefined) return { reason: "too_large" };
        return alsoDropped({ field: longest, ...tooLarge }, this.accept(without(raw, longest), context));
      }
      const dropped = [...parsed.dropped, ...unfit];
      return isNothingLeft(raw, dropped) ? { reason: dropped[0]!.reason } : { ok: accepted, ...droppedPart(dropped) };
    },
  };
}

const tooLarge = { reason: "too_large", detail: "The longest field of a record that is too large" } as const;
const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/** The longest field without which there still is a record; undefined where none is long. */
function longestField(raw: unknown, isDroppable: (name: string) => boolean): string | undefined {
  const fields = Object.entries(raw as object).filter(([name]) => isDroppable(name));
  const [longest] = fields.sort(([, one], [, other]) => lengthOf(other) - lengthOf(one));
  return longest?.[0];
}

const without = (raw: unknown, field: string) =>
  Object.fromEntries(Object.entries(raw as object).filter(([name]) => name !== field));

function alsoDropped<T>(field: DroppedField, judged: Judged<T>): Judged<T> {
  return "reason" in judged ? judged : { ok: judged.ok, dropped: [field, ...(judged.dropped ?? [])] };
}

/** Whether every field of a summary was dropped, so that it says nothing. */
function isNothingLeft(raw: unknown, dropped: readonly DroppedField[]): boolean {
  return dropped.length > 0 && Object.keys(raw as object).every((name) => dropped.some(({ field }) => field === name));
}

/** Composes the answer for a stored summary. */
export function toWireSummary(
  kind: SummaryKind,
  fields: AcceptedSummary["fields"],
  frame: SummaryFrame,
  source: WireSource,
) {
  const { id, user_id, created_at, updated_at, derived } = frame;
  const origin = { source, ...(kind.isDerivable ? { derived: derived !== undefined } : {}) };
  return { id, user_id, ...kind.ofSource(source), ...fields, ...origin, created_at, updated_at };
}

/** Key, span and deprecated `date` of a summary of one day, or the reason when there is no such day. */
export function prepareDay(
  given: { calendar_date: string } & Record<string, unknown>,
): PreparedSummary | RejectionReason {
  const startMs = midnight(given.calendar_date);
  if (Number.isNaN(startMs)) return "bad_time";
  const fields = { date: `${given.calendar_date}T00:00:00+00:00`, ...given };
  return { key: given.calendar_date, providerId: null, fields, span: { startMs, endMs: startMs, offsetS: 0 } };
}

const frame = {
  id: z.uuid(),
  user_id: z.uuid(),
  source: wireSource,
  created_at: z.iso.datetime({ offset: true }),
  updated_at: z.iso.datetime({ offset: true }),
};

const derived = z.boolean().describe("Made of the samples of the day, because the source gave no summary of it");
