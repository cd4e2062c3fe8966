import type { Layer, Point, Range, Source } from "../../api/series.ts";

/** A point with the source that it comes from. */
export interface SourcedPoint {
  readonly source: Source;
  readonly point: Point;
}

/** The points of a range, newest first. */
export const visiblePoints = (layers: readonly Layer[], { from, to }: Range): readonly SourcedPoint[] =>
  layers
    .flatMap(({ source, points }) => points.map((point) => ({ source, point })))
    .filter(({ point: [t] }) => t >= from && t < to)
    .sort((one, other) => other.point[0] - one.point[0]);
