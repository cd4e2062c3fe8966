import * as z from "zod";
import { type AcceptanceContext, checkTimeSpan } from "../../ingest/ingestion-bounds.ts";
import { type AcceptanceResult, type DroppedField, droppedPart, type Refusal } from "../../ingest/refusal.ts";
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
  /** Creates the schema of a valid record for senders. `accept` implements the same rules faster. */
  readonly record: () => z.ZodObject;
  /** Validates an ingested stream and converts it to the stored form. */
  accept(raw: unknown, context: AcceptanceContext): AcceptanceResult<AcceptedStream>;
}

/** The kind-specific part of a stream: its lists in time order, and the instants (epoch ms) of both ends. */
export type StreamLists = Omit<AcceptedStream, "providerId"> & { readonly dropped: readonly DroppedField[] };

/** An ingested stream before validation. */
export type RawStream = Readonly<Record<string, unknown>>;

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
    /** Creates the schemas of the lists in a record. */
    readonly lists: () => z.core.$ZodLooseShape;
    readonly read: (raw: RawStream, context: AcceptanceContext) => StreamLists | Refusal;
  },
): StreamKind {
  const { read: readLists, lists, ...kind } = definition;
  return {
    ...kind,
    record: () => z.object({ provider_id: providerId(kind.of.name), ...lists() }),
    accept(raw, context) {
      if (!isJsonObject(raw)) return { field: null, reason: "bad_field" };
      if (!isProviderId(raw.provider_id)) return { field: "provider_id", reason: "bad_field" };
      const read = readLists(raw, context);
      if ("reason" in read) return read;
      const { dropped, ...accepted } = read;
      if (JSON.stringify(accepted.content).length > MAX_STREAM_CHARACTERS) return { field: null, reason: "too_large" };
      const reason = checkTimeSpan(accepted.startMs, accepted.endMs, context);
      if (reason !== undefined) return { field: "time" in raw ? "time" : null, reason };
      return { ok: { providerId: raw.provider_id, ...accepted }, ...droppedPart(dropped) };
    },
  };
}

const providerId = (summary: string) =>
  z
    .string()
    .min(1)
    .max(MAX_PROVIDER_ID_LENGTH)
    .describe(`The provider's id of the ${summary} that the stream belongs to`);

function isProviderId(given: unknown): given is string {
  return typeof given === "string" && given.length > 0 && given.length <= MAX_PROVIDER_ID_LENGTH;
}
