import type { RejectionReason } from "./rejection-reasons.ts";

/** Why a record or one of its fields is refused. It never contains the sent value, which may be personal data. */
export interface Refusal {
  /** Path of the invalid field, joined by dots; null for the record as a whole. */
  readonly field: string | null;
  readonly reason: RejectionReason;
  /** For a list of a stream: how many of its values are left out, and how many it has. */
  readonly omitted?: readonly [count: number, of: number];
}

/** A field that was dropped from an accepted record. */
export interface DroppedField extends Refusal {
  readonly field: string;
}

/** Result of validating a record: its stored form and the dropped fields, or why the record is refused. */
export type AcceptanceResult<T> = { ok: T; dropped?: readonly DroppedField[] } | Refusal;

/** The `dropped` member of a result; empty if nothing was dropped. */
export const droppedPart = (dropped: readonly DroppedField[]): { dropped?: readonly DroppedField[] } =>
  dropped.length > 0 ? { dropped } : {};
