import type * as z from "zod";
import { type DroppedField, droppedPart, type Judged } from "../dropped-field.ts";
import type { SummaryKind } from "../summaries/summary-kind.ts";
import { type AcceptanceContext, checkWindow, type RejectionReason } from "../timeseries/acceptance.ts";

/** A stream in the form in which it is stored. */
export interface AcceptedStream {
  /** The provider's own id of the workout or sleep that the stream is of. */
  readonly providerId: string;
  /** Its lists, as answered. */
  readonly content: Readonly<Record<string, readonly unknown[]>>;
  /** First and last instant, epoch ms. */
  readonly startMs: number;
  readonly endMs: number;
}

/** One kind of stream: what a workout or a sleep was like from moment to moment, too much for its summary. */
export interface StreamKind {
  /** As in the resources of a batch. */
  readonly name: string;
  /** The kind of summary that has such a stream. */
  readonly of: SummaryKind;
  /** What reads answer. */
  readonly wire: z.ZodObject;
  /** Checks a stream that a sender gave and brings it into the stored form. */
  accept(raw: unknown, context: AcceptanceContext): Judged<AcceptedStream>;
}

/** What of a stream is particular to its kind: its lists, sorted by time, and the instants (epoch ms) of both ends. */
export type StreamLists = Omit<AcceptedStream, "providerId"> & { readonly dropped: readonly DroppedField[] };

/** A stream as somebody gave it. */
export type RawStream = Readonly<Record<string, unknown>>;

/** Names a list of a stream of which values were left out. @param reason that of the first of them. */
export function leftOut(field: string, reason: RejectionReason, count: number, all: number): DroppedField {
  return { field, reason, detail: `${count} of ${all} values left out` };
}

/** The longest stream as JSON; escaped inside the answer of a Lambda it stays below the 6 MB that one may have. */
const MOST_CHARACTERS = 4_500_000;
/** As of the summaries that streams belong to. */
const LONGEST_PROVIDER_ID = 256;

/** Declares a kind of stream. @param definition `read` reads the lists, or tells why they cannot be taken. */
export function streamKind(
  definition: Pick<StreamKind, "name" | "of" | "wire"> & {
    readonly read: (raw: RawStream, context: AcceptanceContext) => StreamLists | RejectionReason;
  },
): StreamKind {
  const { read: readLists, ...kind } = definition;
  return {
    ...kind,
    accept(raw, context) {
      const providerId = isRecord(raw) ? raw.provider_id : undefined;
      if (!isRecord(raw) || !isProviderId(providerId)) return { reason: "bad_field" };
      const read = readLists(raw, context);
      if (typeof read === "string") return { reason: read };
      const { dropped, ...lists } = read;
      if (JSON.stringify(lists.content).length > MOST_CHARACTERS) return { reason: "too_large" };
      const reason = checkWindow(lists.startMs, lists.endMs, context);
      return reason === undefined ? { ok: { providerId, ...lists }, ...droppedPart(dropped) } : { reason };
    },
  };
}

function isRecord(raw: unknown): raw is RawStream {
  return typeof raw === "object" && raw !== null;
}

function isProviderId(given: unknown): given is string {
  return typeof given === "string" && given.length > 0 && given.length <= LONGEST_PROVIDER_ID;
}
