/**
 * Start of the fixed time bucket that an instant lies in; instants before 1970 round down too.
 * All arguments and the answer are epoch milliseconds or milliseconds; a width that is not a positive integer is a RangeError.
 */
export function bucketStart(instantMs: number, widthMs: number): number {
  if (!Number.isSafeInteger(widthMs) || widthMs <= 0) throw new RangeError(`bucket width ${widthMs} ms`);
  return Math.floor(instantMs / widthMs) * widthMs;
}

/** Starts of all buckets that hold an instant of [fromMs, toMs), ascending: the chunks that a window has to read. */
export function bucketsBetween(fromMs: number, toMs: number, widthMs: number): number[] {
  const starts: number[] = [];
  for (let start = bucketStart(fromMs, widthMs); start < toMs && fromMs < toMs; start += widthMs) starts.push(start);
  return starts;
}
