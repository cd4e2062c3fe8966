import { createHash } from "node:crypto";
import type { SourceType } from "./source-type.ts";

/** A record for the ingestion route. */
export interface Outgoing {
  /** A timeseries or a kind of summary. */
  readonly resource: string;
  readonly sourceType: SourceType;
  /** With resource and source type what the store tells records apart by. */
  readonly key: string | number;
  readonly content: Readonly<Record<string, unknown>>;
}

/** What becomes of one element of the export: the record that it is sent as, or the reason why it is not. */
export type Outcome = { readonly send: Outgoing } | { readonly leftOut: string };

/** Reasons that several kinds of elements share. */
export const BAD_DATE = { leftOut: "bad date" } as const;
export const BAD_VALUE = { leftOut: "bad value" } as const;
export const UNKNOWN_UNIT = { leftOut: "unknown unit" } as const;

/** An id that is the same whenever and in whatever time zone the same data is exported again. */
export function stableId(...parts: readonly (string | number)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
