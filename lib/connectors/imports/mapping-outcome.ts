import { createHash } from "node:crypto";
import type { sourceTypes } from "../../domain/connections/sources/source-types.ts";

export type SourceType = (typeof sourceTypes)[number];

/** The source of records: its type, and the device and app that recorded them; null where the export names none. */
export interface RecordSource {
  readonly type: SourceType;
  readonly deviceId: string | null;
  readonly appId: string | null;
}

/** A record for the ingestion API. */
export interface OutgoingRecord {
  /** Name of a timeseries or summary. */
  readonly resource: string;
  readonly source: RecordSource;
  /**
   * Identifies the record within its resource and source, as in the store; the id of a provider within its resource and
   * source type.
   */
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

/** Returns a key that sources share if and only if they are equal. */
export function sourceKey(source: RecordSource): string {
  const key = keys.get(source) ?? JSON.stringify([source.type, source.deviceId, source.appId]);
  keys.set(source, key);
  return key;
}

const keys = new WeakMap<RecordSource, string>();
