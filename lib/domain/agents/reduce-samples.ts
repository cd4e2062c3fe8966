/** Widths of the intervals that stand for samples, shortest first, seconds. */
const INTERVALS_S = [60, 300, 900, 3_600, 21_600, 86_400, 604_800, 2_592_000] as const;

/** Numbers of a sample that are no measurement. */
const noMeasurement = ["id", "timezone_offset"];

/** A sample in its wire form. */
type Sample = Readonly<Record<string, unknown>>;
interface Series {
  readonly source: unknown;
  readonly data: readonly Sample[];
}

/** Samples by provider, and for each source, device and app. */
export type SampleGroups = Readonly<Record<string, readonly Series[]>>;

/** How an answer stands for more samples than it contains. */
export interface Reduction {
  readonly method: "interval_statistics";
  readonly interval_seconds: number;
  /** Number of samples behind all rows. */
  readonly samples: number;
  readonly rows: number;
}

/** Counts the samples of all groups. */
export const countSamples = (groups: SampleGroups): number =>
  Object.values(groups)
    .flat()
    .reduce((sum, { data }) => sum + data.length, 0);

/**
 * Replaces samples by statistics of intervals of UTC, the shortest intervals whose rows fit.
 * @returns undefined if not even the longest intervals fit.
 */
export function reduceSamples(
  groups: SampleGroups,
  fits: (groups: SampleGroups, reduction: Reduction) => boolean,
): { readonly groups: SampleGroups; readonly reduction: Reduction } | undefined {
  const samples = countSamples(groups);
  for (const interval_seconds of INTERVALS_S) {
    const reduced = mapSeries(groups, (data) => toIntervals(data, interval_seconds * 1_000));
    const reduction = {
      method: "interval_statistics",
      interval_seconds,
      samples,
      rows: countSamples(reduced),
    } as const;
    if (fits(reduced, reduction)) return { groups: reduced, reduction };
  }
  return undefined;
}

function mapSeries(groups: SampleGroups, change: (data: readonly Sample[]) => readonly Sample[]): SampleGroups {
  const changed = Object.entries(groups).map(
    ([slug, series]) => [slug, series.map(({ source, data }) => ({ source, data: change(data) }))] as const,
  );
  return Object.fromEntries(changed);
}

/** One row for each interval, type and unit. */
function toIntervals(data: readonly Sample[], widthMs: number): Sample[] {
  const keyOf = ({ start, type, unit }: Sample) =>
    JSON.stringify([Math.floor(Date.parse(String(start)) / widthMs), type ?? null, unit]);
  return [...Map.groupBy(data, keyOf)].map(([key, samples]) => {
    const [place, type, unit] = JSON.parse(key) as [number, string | null, string];
    const [start, end] = [place, place + 1].map((at) => new Date(at * widthMs).toISOString());
    return { start, end, type, unit, count: samples.length, ...toStatistics(samples) };
  });
}

/** Minimum, maximum, mean and sum of each measured field. */
function toStatistics(samples: readonly Sample[]): Sample {
  const first = samples[0] ?? {};
  const fields = Object.keys(first).filter((name) => !noMeasurement.includes(name) && typeof first[name] === "number");
  return Object.fromEntries(
    fields.map((name) => {
      const values = samples.map((sample) => sample[name]).filter((value) => typeof value === "number");
      const sum = values.reduce((total, value) => total + value, 0);
      const [min, max] = [Math.min, Math.max].map((pick) => values.reduce((one, other) => pick(one, other)));
      return [name, { min, max, mean: round(sum / values.length), sum: round(sum) }];
    }),
  );
}

/** Removes the error of binary fractions. */
const round = (value: number) => Number(value.toPrecision(12));
