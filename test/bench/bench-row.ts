/** One line of the report: a count or a ratio, its target, and what the naive design needs for the same. */
export interface BenchRow {
  readonly measure: string;
  readonly target: string;
  readonly ours: string;
  readonly naive: string;
  /** Whether the target is met; undefined where there is none. */
  readonly isMet?: boolean;
}

/** What one part of the bench has to say; it may also leave series to be plotted. */
export interface BenchPart {
  readonly title: string;
  readonly rows: readonly BenchRow[];
}

/** A number as a person reads it: three significant digits, thousands apart. */
export function formatFigure(value: number): string {
  if (!Number.isFinite(value)) return "-";
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

/** A row whose measure must not be above its target. */
export function rowUpTo(measure: string, most: number, ours: number, naive: number, unit = ""): BenchRow {
  return {
    measure,
    target: `<= ${most}${unit}`,
    ours: formatFigure(ours) + unit,
    naive: formatFigure(naive) + unit,
    isMet: ours <= most,
  };
}

/** A row whose measure must not be below its target. */
export function rowAtLeast(measure: string, least: number, ours: number, naive: number, unit = ""): BenchRow {
  const target = `>= ${formatFigure(least)}${unit}`;
  return { measure, target, ours: formatFigure(ours) + unit, naive: formatFigure(naive) + unit, isMet: ours >= least };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The exponent b of y = a * x^b that fits best (least squares of the logarithms). */
export function fitExponent(points: readonly (readonly [x: number, y: number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (of: (log: readonly [number, number]) => number) =>
    logs.reduce((sum, log) => sum + of(log), 0) / logs.length;
  const [meanX, meanY] = [mean(([x]) => x), mean(([, y]) => y)];
  const covariance = mean(([x, y]) => (x - meanX) * (y - meanY));
  return covariance / mean(([x]) => (x - meanX) ** 2);
}
