import * as z from "zod";
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
}

/** What an answered summary has beside its own fields. */
export interface SummaryFrame {
  readonly id: string;
  readonly user_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** One kind of summary: its schemas, and how one is taken in. */
export interface SummaryKind {
  readonly name: SummaryName;
  /** What a sender gives. */
  readonly ingest: z.ZodObject;
  /** What reads and events answer. */
  readonly wire: z.ZodObject;
  /** Checks a summary that a sender gave and brings it into the stored form. */
  accept(raw: unknown, context: AcceptanceContext): { ok: AcceptedSummary } | { reason: RejectionReason };
}

/** A summary with the span of time that it is about (epoch ms), absent where it is about none. */
export type PreparedSummary = AcceptedSummary & {
  readonly span?: { readonly startMs: number; readonly endMs: number };
};

interface SummaryDefinition<Ingest extends z.ZodObject> {
  readonly name: SummaryName;
  readonly ingest: Ingest;
  /** The fields of the answer. */
  readonly wireFields: z.core.$ZodLooseShape;
  /** Fills in what follows from the rest, or tells why the summary cannot be. */
  readonly prepare: (given: z.output<Ingest>) => PreparedSummary | RejectionReason;
}

/** The longest summary as JSON; with up to three bytes a character it fits a table item of 400 KB. */
const MOST_CHARACTERS = 120_000;

/** Declares a kind of summary. */
export function summaryKind<Ingest extends z.ZodObject>(definition: SummaryDefinition<Ingest>): SummaryKind {
  const { name, ingest, wireFields, prepare } = definition;
  return {
    name,
    ingest,
    wire: z.object({ ...wireFields, ...frame }),
    accept(raw, context) {
      const parsed = ingest.safeParse(raw);
      if (!parsed.success) return { reason: reasonFor(parsed.error) };
      const prepared = prepare(parsed.data);
      if (typeof prepared === "string") return { reason: prepared };
      if (JSON.stringify(prepared.fields).length > MOST_CHARACTERS) return { reason: "too_large" };
      const { span, ...accepted } = prepared;
      const reason = span && checkWindow(span.startMs, span.endMs, context);
      return reason === undefined ? { ok: accepted } : { reason };
    },
  };
}

/** Composes the answer for a stored summary. */
export function toWireSummary(fields: AcceptedSummary["fields"], frame: SummaryFrame, source: WireSource) {
  const { id, user_id, created_at, updated_at } = frame;
  return { id, user_id, ...fields, source, created_at, updated_at };
}

/** Key, span and deprecated `date` of a summary of one day, or the reason when there is no such day. */
export function prepareDay(
  given: { calendar_date: string } & Record<string, unknown>,
): PreparedSummary | RejectionReason {
  const startMs = midnight(given.calendar_date);
  if (Number.isNaN(startMs)) return "bad_time";
  const fields = { date: `${given.calendar_date}T00:00:00+00:00`, ...given };
  return { key: given.calendar_date, providerId: null, fields, span: { startMs, endMs: startMs } };
}

const frame = {
  id: z.uuid(),
  user_id: z.uuid(),
  source: wireSource,
  created_at: z.iso.datetime({ offset: true }),
  updated_at: z.iso.datetime({ offset: true }),
};

const timeFields = ["calendar_date", "bedtime_start", "bedtime_stop", "time_start", "time_end", "timezone_offset"];

/** The reason for the first thing that the schema found. */
function reasonFor(error: z.ZodError): RejectionReason {
  const [issue] = error.issues;
  if (timeFields.includes(String(issue?.path[0]))) return "bad_time";
  return issue?.code === "too_small" || issue?.code === "too_big" ? "value_out_of_range" : "bad_field";
}
