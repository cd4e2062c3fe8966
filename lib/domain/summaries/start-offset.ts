/**
 * The field of a stored sleep with the offset from UTC at its start, seconds, where it differs from that at its end.
 * Responses do not contain it: the wire has one offset, that of the end.
 */
export const START_OFFSET = "start_offset";

/** The stored field of a sleep whose offset changes: a change of clocks, or a journey. */
export const startOffsetField = (startS: number | null, endS: number | null): { readonly [START_OFFSET]?: number } =>
  startS === null || startS === endS ? {} : { [START_OFFSET]: startS };
