import type { RejectionReason } from "./timeseries/acceptance.ts";

/** A field that a record was taken without. */
export interface DroppedField {
  /** Its name, with dots between the names of what it is in. */
  readonly field: string;
  readonly reason: RejectionReason;
  /** For people; never says what was given. */
  readonly detail: string;
}

/** What became of a record: the form in which it is stored, and what was left out of it; or why it was not taken. */
export type Judged<T> = { ok: T; dropped?: readonly DroppedField[] } | { reason: RejectionReason };

/** Members of a judgement that tell what was dropped; none where nothing was. */
export const droppedPart = (dropped: readonly DroppedField[]): { dropped?: readonly DroppedField[] } =>
  dropped.length > 0 ? { dropped } : {};
