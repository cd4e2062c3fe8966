/**
 * Start of the time bucket that contains an instant; instants before 1970 round down too. All values are epoch
 * milliseconds or milliseconds.
 * @throws RangeError for a width that is not a positive integer.
 */
export function bucketStart(instantMs: number, widthMs: number): number {
  if (!Number.isSafeInteger(widthMs) || widthMs <= 0) throw new RangeError(`bucket width ${widthMs} ms`);
  return Math.floor(instantMs / widthMs) * widthMs;
}

/** Starts of all buckets that overlap [fromMs, toMs), ascending: the chunks to read for a window. */
export function bucketsBetween(fromMs: number, toMs: number, widthMs: number): number[] {
  const starts: number[] = [];
  for (let start = bucketStart(fromMs, widthMs); start < toMs && fromMs < toMs; start += widthMs) starts.push(start);
  return starts;
}
