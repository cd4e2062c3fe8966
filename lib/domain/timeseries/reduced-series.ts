import type { DateRange } from "../shared/date-range.ts";
import { type CellColumn, CellKind } from "./chunk/chunk-columns.ts";
import type { SampleSlice } from "./chunk/sample-slice.ts";
import type { TimeseriesResource } from "./resource.ts";

/**
 * The values of one interval of a plot: its start, or the time of its only value (epoch ms), minimum, maximum, mean and
 * number of values. Two points of one interval combine: the lesser minimum, the greater maximum, the mean weighted by the
 * numbers, the sum of the numbers.
 */
export type SeriesPoint = readonly [atMs: number, min: number, max: number, mean: number, count: number];

/** What the values of a layer have in common. */
interface SeriesLayerKey {
  readonly provider: string;
  readonly sourceType: string;
  readonly deviceId: string | null;
  readonly appId: string | null;
  /** Type of samples whose type is part of their identity, such as `ldl`; otherwise null. */
  readonly type: string | null;
  /** Field that holds the values, such as `systolic`; null for `value`. */
  readonly field: string | null;
}

/** A layer of a plot, with its points in order of time. */
export interface SeriesLayer extends SeriesLayerKey {
  readonly points: readonly SeriesPoint[];
}

interface Interval {
  /** Time of its first value, epoch ms. */
  readonly firstMs: number;
  min: number;
  max: number;
  sum: number;
  count: number;
}

/** Significant digits of a mean: more than a plot shows, and short text. */
const MEAN_DIGITS = 9;

/** Width of the intervals that divide a range into at most `points` parts, whole ms. */
export const seriesWidthMs = ({ fromMs, toMs }: DateRange, points: number): number =>
  Math.ceil((toMs - fromMs + 1) / points);

/** Whether samples of a resource have numbers to plot. */
export const isPlottable = ({ value, fields }: TimeseriesResource): boolean =>
  value === "number" || value === "integer" || fields.some(({ kind }) => kind === "number");

/** Reduces the samples of a range to a bounded number of points for each source. */
export class ReducedSeries {
  readonly #fromMs: number;
  readonly #widthMs: number;
  readonly #fields: readonly string[];
  readonly #hasValue: boolean;
  readonly #layers = new Map<string, { readonly key: SeriesLayerKey; readonly intervals: Map<number, Interval> }>();
  #points = 0;
  #samples = 0;

  /** @param points maximum number of points of a layer. */
  constructor({ value, fields }: TimeseriesResource, range: DateRange, points: number) {
    this.#fromMs = range.fromMs;
    this.#widthMs = seriesWidthMs(range, points);
    this.#fields = fields.filter(({ kind }) => kind === "number").map(({ name }) => name);
    this.#hasValue = value === "number" || value === "integer";
  }

  /** Number of points so far, of layers, and of the samples that they stand for. */
  get size() {
    return { points: this.#points, layers: this.#layers.size, samples: this.#samples };
  }

  /** Adds the samples of a slice within the range. */
  add(slice: SampleSlice): void {
    const { columns, from, to } = slice;
    this.#samples += to - from;
    if (this.#hasValue) this.#addCells(slice, columns.values, null);
    for (const name of this.#fields) {
      const cells = columns.fields.find((field) => field.name === name)?.cells;
      if (cells) this.#addCells(slice, cells, name);
    }
  }

  layers(): SeriesLayer[] {
    return [...this.#layers.values()].map(({ key, intervals }) => ({
      ...key,
      points: [...intervals]
        .toSorted(([one], [other]) => one - other)
        .map(([place, interval]) => this.#toPoint(place, interval)),
    }));
  }

  #addCells(slice: SampleSlice, { kinds, numbers }: CellColumn, field: string | null): void {
    const { starts, subtypes } = slice.columns;
    let intervals: Map<number, Interval> | undefined;
    let [type, place]: [string | null | undefined, number] = [undefined, Number.NaN];
    let current: Interval | undefined;
    for (let index = slice.from; index < slice.to; index++) {
      if (kinds[index] !== CellKind.number) continue;
      const value = numbers[index] ?? Number.NaN;
      const startMs = starts[index] ?? Number.NaN;
      const [itsType, itsPlace] = [subtypes[index] ?? null, this.#placeOf(startMs)];
      if (itsType !== type) intervals = this.#intervalsOf(slice, itsType, field);
      // Most samples follow one of the same interval.
      if (itsType !== type || itsPlace !== place) current = this.#intervalAt(intervals, itsPlace, startMs);
      [type, place] = [itsType, itsPlace];
      if (current) addValue(current, value);
    }
  }

  #placeOf(startMs: number): number {
    return Math.floor((startMs - this.#fromMs) / this.#widthMs);
  }

  #intervalsOf(slice: SampleSlice, type: string | null, field: string | null): Map<number, Interval> {
    const { provider, sourceType, deviceId, appId } = slice;
    const name = JSON.stringify([provider, sourceType, deviceId, appId, type, field]);
    const layer = this.#layers.get(name) ?? {
      key: { provider, sourceType, deviceId, appId, type, field },
      intervals: new Map<number, Interval>(),
    };
    this.#layers.set(name, layer);
    return layer.intervals;
  }

  #intervalAt(intervals: Map<number, Interval> | undefined, place: number, firstMs: number): Interval | undefined {
    const known = intervals?.get(place);
    if (known) return known;
    const made = { firstMs, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, sum: 0, count: 0 };
    intervals?.set(place, made);
    this.#points++;
    return made;
  }

  #toPoint(place: number, { firstMs, min, max, sum, count }: Interval): SeriesPoint {
    // Rounding must not move a mean beyond the values.
    const mean = Math.min(Math.max(Number((sum / count).toPrecision(MEAN_DIGITS)), min), max);
    return [count === 1 ? firstMs : this.#fromMs + place * this.#widthMs, min, max, mean, count];
  }
}

function addValue(interval: Interval, value: number): void {
  if (value < interval.min) interval.min = value;
  if (value > interval.max) interval.max = value;
  interval.sum += value;
  interval.count++;
}
