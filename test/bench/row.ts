/** One row of the report: a measure, its target, this service's figure and the naive design's figure. */
export interface Row {
  readonly measure: string;
  readonly target: string;
  readonly ours: string;
  readonly naive: string;
  /** Whether the figure meets the target; undefined without a target. */
  readonly isMet?: boolean;
}

/** The results of one part of the bench. */
export interface Part {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** Formats a number for people: three significant digits, with thousands separators. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return "-";
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

/** A row whose figure must not exceed its target. */
export function atMost(measure: string, most: number, ours: number, naive: number, unit = ""): Row {
  return {
    measure,
    target: `<= ${most}${unit}`,
    ours: figure(ours) + unit,
    naive: figure(naive) + unit,
    isMet: ours <= most,
  };
}

/** A row whose figure must reach its target. */
export function atLeast(measure: string, least: number, ours: number, naive: number, unit = ""): Row {
  const target = `>= ${figure(least)}${unit}`;
  return { measure, target, ours: figure(ours) + unit, naive: figure(naive) + unit, isMet: ours >= least };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Fits y = a * x^b by least squares of the logarithms. @returns the exponent b. */
export function exponent(points: readonly (readonly [x: number, y: number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (of: (log: readonly [number, number]) => number) =>
    logs.reduce((sum, log) => sum + of(log), 0) / logs.length;
  const [meanX, meanY] = [mean(([x]) => x), mean(([, y]) => y)];
  const covariance = mean(([x, y]) => (x - meanX) * (y - meanY));
  return covariance / mean(([x]) => (x - meanX) ** 2);
}
