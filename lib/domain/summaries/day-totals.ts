import { mergeSources } from "../queries/evaluation/merge-sources.ts";
import { compareRecorders, rankRecorders } from "../queries/evaluation/source-rank.ts";
import { chunkRows, sliceSource } from "../queries/rows/chunk-rows.ts";
import type { RowSet } from "../queries/rows/row-set.ts";
import type { RowSource } from "../queries/rows/rows.ts";
import { DAY_MS } from "../shared/durations.ts";
import { instantsOfDays, type ToFloatingTime } from "../shared/local-day.ts";
import type { SampleSlice } from "../timeseries/chunk/sample-slice.ts";
import { bucketStart } from "../timeseries/chunk/time-bucket.ts";
import type { KnownResource } from "../timeseries/resources.ts";

/** The device and app that recorded samples; null where the source names none. */
type RecorderIds = Required<Pick<RowSource, "device_id" | "app_id">>;

/** Totals of one resource's samples on one day. */
export interface DayTotal {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  /** The parts by device and app; absent if the source names none. */
  readonly parts?: readonly RecorderPart[];
}

/** What one device and app contribute to a total. */
interface RecorderPart extends RecorderIds {
  readonly count: number;
  readonly sum: number;
}

/**
 * Yields each day with the slices that may contain its samples, and holds the slices of few days at a time.
 * @param slices in order of their time buckets.
 */
export async function* slicesOfDays<S extends SampleSlice>(
  slices: AsyncIterable<S>,
  days: readonly number[],
  { bucketMs }: Pick<KnownResource, "bucketMs">,
): AsyncGenerator<readonly [day: number, slices: readonly S[]]> {
  const due = days.toSorted((a, b) => a - b);
  let open: S[] = [];
  for await (const slice of slices) {
    if (slice.from === slice.to) continue;
    const bucket = bucketStart(firstStart(slice), bucketMs);
    for (let [day] = due; day !== undefined && instantsOfDays(day, day).toMs < bucket; [day] = due) {
      yield [day, open];
      due.shift();
      const { fromMs } = instantsOfDays(due[0] ?? day, due[0] ?? day);
      open = open.filter((one) => lastStart(one) >= fromMs);
    }
    open.push(slice);
  }
  for (const day of due) yield [day, open];
}

/**
 * Totals the samples of one source on one day; undefined without samples. Where several devices or apps cover the same
 * time, it counts once: queries merge sources by interval the same way, here in the order of devices and apps. A sample
 * that spans midnight counts for the day of its start, and competes with the samples of that day.
 */
export function totalDay(
  resource: KnownResource,
  slices: readonly SampleSlice[],
  day: number,
  floatingOf: ToFloatingTime,
): DayTotal | undefined {
  const recorders = new Set(slices.map((slice) => JSON.stringify(sliceSource(slice))));
  const total = new Accumulator();
  const isOfDay = (floating: number) => Math.floor(floating / DAY_MS) === day;
  if (recorders.size > 1) addMerged(total, chunkRows(resource.eventName, slices, floatingOf), isOfDay);
  else {
    for (const { columns, from, to, ...origin } of slices) {
      const { starts, offsetsS, values } = columns;
      const part = total.partOf(sliceSource(origin));
      for (let index = from; index < to; index++) {
        const [start = NaN, offsetS = NaN, value = NaN] = [starts[index], offsetsS[index], values.numbers[index]];
        if (isOfDay(floatingOf(start, offsetS))) total.add(value, 1, part);
      }
    }
  }
  return total.done();
}

/** No list ranks the devices of a source. */
const unranked = { overrides: [], providers: {} };

/** Adds the samples of several devices, each as far as no better one covers its time. */
function addMerged(total: Accumulator, set: RowSet, isOfDay: (floating: number) => boolean): void {
  const ranks = rankRecorders(set.sources, unranked);
  const parts = set.sources.map((source) => total.partOf(source));
  const values = set.numbers?.("value");
  // Samples of other days do not compete: a batch that changes them does not derive this day again.
  const ofDay = Array.from(set.floating.keys()).filter((row) => isOfDay(set.floating[row] ?? NaN));
  const shares = mergeSources(set, ofDay, (row) => ranks[set.sourceOf[row] ?? 0] ?? 0, []);
  for (const row of ofDay) {
    const share = shares[row] ?? 0;
    const part = parts[set.sourceOf[row] ?? 0];
    if (share > 0 && part) total.add(values?.[row] ?? NaN, share, part);
  }
}

type MutablePart = { -readonly [Name in keyof RecorderPart]: RecorderPart[Name] };

/** Adds up the values of one day and resource. */
class Accumulator {
  #count = 0;
  #sum = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  readonly #parts = new Map<string, MutablePart>();

  /** The part of a device and app. */
  partOf({ device_id = null, app_id = null }: RowSource): MutablePart {
    const name = JSON.stringify([device_id, app_id]);
    const part = this.#parts.get(name) ?? { device_id, app_id, count: 0, sum: 0 };
    this.#parts.set(name, part);
    return part;
  }

  /** Adds the share of a value that counts. */
  add(value: number, share: number, part: MutablePart): void {
    const amount = share === 1 ? value : value * share;
    this.#count++;
    this.#sum += amount;
    this.#min = Math.min(this.#min, value);
    this.#max = Math.max(this.#max, value);
    part.count++;
    part.sum += amount;
  }

  done(): DayTotal | undefined {
    if (this.#count === 0) return undefined;
    const total = { count: this.#count, sum: this.#sum, min: this.#min, max: this.#max };
    const used = [...this.#parts.values()].filter(({ count }) => count > 0).sort(compareRecorders);
    const isNamed = used.some(({ device_id, app_id }) => device_id !== null || app_id !== null);
    return isNamed ? { ...total, parts: used } : total;
  }
}

const firstStart = ({ columns, from }: SampleSlice) => columns.starts[from] ?? Number.NEGATIVE_INFINITY;
const lastStart = ({ columns, to }: SampleSlice) => columns.starts[to - 1] ?? Number.NEGATIVE_INFINITY;
