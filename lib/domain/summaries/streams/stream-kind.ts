import type * as z from "zod";
import { type AcceptanceResult, type DroppedField, droppedPart } from "../../ingest/dropped-field.ts";
import { type AcceptanceContext, checkTimeSpan } from "../../ingest/ingestion-bounds.ts";
import type { RejectionReason } from "../../ingest/rejection-reasons.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { SummaryKind } from "../summary-kind.ts";

/** A stream in its stored form. */
export interface AcceptedStream {
  /** The provider's id of the stream's workout or sleep. */
  readonly providerId: string;
  /** The lists, in wire form. */
  readonly content: Readonly<Record<string, readonly unknown[]>>;
  /** First and last instant, epoch ms. */
  readonly startMs: number;
  readonly endMs: number;
}

/** A kind of stream: the detailed course of a workout or sleep, too large for its summary. */
export interface StreamKind {
  /** Name among the resources of a batch. */
  readonly name: string;
  /** The kind of summary that the stream belongs to. */
  readonly of: SummaryKind;
  /** Wire schema. */
  readonly wire: z.ZodObject;
  /** Validates an ingested stream and converts it to the stored form. */
  accept(raw: unknown, context: AcceptanceContext): AcceptanceResult<AcceptedStream>;
}

/** The kind-specific part of a stream: its lists in time order, and the instants (epoch ms) of both ends. */
export type StreamLists = Omit<AcceptedStream, "providerId"> & { readonly dropped: readonly DroppedField[] };

/** An ingested stream before validation. */
export type RawStream = Readonly<Record<string, unknown>>;

/** Describes a stream list with omitted values. @param reason reason of the first omitted value. */
export function toOmittedField(field: string, reason: RejectionReason, count: number, all: number): DroppedField {
  return { field, reason, detail: `${count} of ${all} values omitted` };
}

/**
 * Maximum length of a stream as JSON, characters. Escaped inside a Lambda response, it stays below the limit of 6 MB.
 */
const MAX_STREAM_CHARACTERS = 4_500_000;
/** Same limit as for the summaries of streams. */
const MAX_PROVIDER_ID_LENGTH = 256;

/**
 * Defines a kind of stream.
 * @param definition `read` reads the lists, or returns why they are rejected.
 */
export function defineStreamKind(
  definition: Pick<StreamKind, "name" | "of" | "wire"> & {
    readonly read: (raw: RawStream, context: AcceptanceContext) => StreamLists | RejectionReason;
  },
): StreamKind {
  const { read: readLists, ...kind } = definition;
  return {
    ...kind,
    accept(raw, context) {
      if (!isJsonObject(raw) || !isProviderId(raw.provider_id)) return { reason: "bad_field" };
      const read = readLists(raw, context);
      if (typeof read === "string") return { reason: read };
      const { dropped, ...lists } = read;
      if (JSON.stringify(lists.content).length > MAX_STREAM_CHARACTERS) return { reason: "too_large" };
      const reason = checkTimeSpan(lists.startMs, lists.endMs, context);
      return reason === undefined
        ? { ok: { providerId: raw.provider_id, ...lists }, ...droppedPart(dropped) }
        : { reason };
    },
  };
}

function isProviderId(given: unknown): given is string {
  return typeof given === "string" && given.length > 0 && given.length <= MAX_PROVIDER_ID_LENGTH;
}
