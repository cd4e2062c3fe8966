import type { RejectionReason } from "./rejection-reasons.ts";

/** A field that was dropped from an accepted record. */
export interface DroppedField {
  /** Path of the field, joined by dots. */
  readonly field: string;
  readonly reason: RejectionReason;
  /** Description for people; never contains the sent value. */
  readonly detail: string;
}

/** Result of validating a record: its stored form and the dropped fields, or the reason of the rejection. */
export type AcceptanceResult<T> = { ok: T; dropped?: readonly DroppedField[] } | { reason: RejectionReason };

/** The `dropped` member of a result; empty if nothing was dropped. */
export const droppedPart = (dropped: readonly DroppedField[]): { dropped?: readonly DroppedField[] } =>
  dropped.length > 0 ? { dropped } : {};
