/** One of several windows that requests are counted in. */
export interface LimitWindow {
  readonly isUsedUp: boolean;
  /** Until it begins anew. */
  readonly resetS: number;
}

/** The numbers of a header that tells something of each window: `12, 340`. */
export function numbersOf(headers: Headers, name: string): number[] {
  const text = headers.get(name) ?? "";
  const numbers = text.split(",").map((part) => Number.parseFloat(part));
  return numbers.some(Number.isNaN) ? [] : numbers;
}

/** When requests are taken again (epoch ms): when all windows that are used up began anew, else the first one. */
export function afterWindows(windows: readonly LimitWindow[], nowMs: number): number | undefined {
  const usedUp = windows.filter(({ isUsedUp }) => isUsedUp);
  const waited = usedUp.length > 0 ? usedUp : windows.slice(0, 1);
  return waited.length === 0 ? undefined : nowMs + 1000 * Math.max(...waited.map(({ resetS }) => resetS));
}
