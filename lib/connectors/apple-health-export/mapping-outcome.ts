import { createHash } from "node:crypto";
import type { SourceType } from "./source-type.ts";

/** A record for the ingestion API. */
export interface OutgoingRecord {
  /** Name of a timeseries or summary. */
  readonly resource: string;
  readonly sourceType: SourceType;
  /** Identifies the record within its resource and source type, as in the store. */
  readonly key: string | number;
  readonly content: Readonly<Record<string, unknown>>;
}

/** The result of mapping an element: the record to send, or the reason why it is left out. */
export type MappingOutcome = { readonly send: OutgoingRecord } | { readonly leftOut: string };

/** Reasons shared by several mappings. */
export const BAD_DATE = { leftOut: "bad date" } as const;
export const BAD_VALUE = { leftOut: "bad value" } as const;
export const UNKNOWN_UNIT = { leftOut: "unknown unit" } as const;

/** Derives an id from data that does not depend on the time or time zone of the export. */
export function stableId(...parts: readonly (string | number)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
