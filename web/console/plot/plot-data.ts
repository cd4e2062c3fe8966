import type { AlignedData } from "uplot";
import type { Layer, Point } from "../api/series.ts";

/** Resources whose values add up. Their plots show totals, those of other resources the mean with its extremes. */
const AMOUNTS: ReadonlySet<string> = new Set([
  "caffeine",
  "calories_active",
  "calories_basal",
  "carbohydrates",
  "daylight_exposure",
  "distance",
  "floors_climbed",
  "handwashing",
  "insulin_injection",
  "mindfulness_minutes",
  "stand_duration",
  "steps",
  "water",
  "wheelchair_push",
  "workout_distance",
  "workout_duration",
  "workout_swimming_stroke",
]);

/** Whether the values of a resource add up. */
export const isAmount = (resource: string) => AMOUNTS.has(resource);

/** The one value of a point: the total of an amount, else the mean. */
export const pointValue = ([, , , mean, count]: Point, sums: boolean) => (sums ? mean * count : mean);

/** Gaps longer than so many usual distances interrupt a line. */
const GAP_FACTOR = 6;

/** Number of columns of a layer: mean, maximum and minimum. */
export const COLUMNS_PER_LAYER = 3;

/** Aligns the points of all layers at common times, three columns a layer. A null interrupts the line. */
export function toPlotData(layers: readonly Layer[], sums: boolean): AlignedData {
  const times = [...new Set(layers.flatMap(({ points }) => points.map(([t]) => t)))].sort((one, other) => one - other);
  const position = new Map(times.map((t, at) => [t, at]));
  const columns = layers.flatMap(({ points }) => toColumns(points, position, sums));
  return [times, ...columns] as unknown as AlignedData;
}

function toColumns(points: readonly Point[], position: ReadonlyMap<number, number>, sums: boolean) {
  const columns = Array.from({ length: COLUMNS_PER_LAYER }, () => new Array<number | null | undefined>(position.size));
  const usual = usualDistance(points);
  let before: Point | undefined;
  for (const point of points) {
    const at = position.get(point[0]) ?? 0;
    const [, min, max] = point;
    const values = [pointValue(point, sums), max, min];
    const isGap = before !== undefined && point[0] - before[0] > usual * GAP_FACTOR;
    for (const [index, column] of columns.entries()) {
      // A null before the point interrupts the line if another layer has a time in between.
      if (isGap && at > 0 && column[at - 1] === undefined) column[at - 1] = null;
      column[at] = values[index];
    }
    before = point;
  }
  return columns;
}

/** The median distance of neighbours, milliseconds. */
function usualDistance(points: readonly Point[]): number {
  const distances = points.slice(1).map(([t], at) => t - (points[at]?.[0] ?? t));
  return distances.sort((one, other) => one - other)[Math.floor(distances.length / 2)] ?? Number.POSITIVE_INFINITY;
}
