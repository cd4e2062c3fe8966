/** How far the clock of the service is ahead of this browser's, milliseconds. */
let aheadMs = 0;

/** Difference that the whole seconds of the header and the way of an answer explain. */
const TOLERANCE_MS = 5_000;

/** Reads the clock of the service from the header `Date` of an answer that no cache has kept. */
export function readServiceClock({ headers }: Response): void {
  const servedAt = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(servedAt) || !headers.get("cache-control")?.includes("no-store")) return;
  const readMs = servedAt - Date.now();
  if (Math.abs(readMs - aheadMs) > TOLERANCE_MS) aheadMs = readMs;
}

/** The present instant of the service, milliseconds: every instant that a view compares comes from there. */
export const serviceNow = (): number => Date.now() + aheadMs;
