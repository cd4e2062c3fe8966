import type { Layer, Range } from "../api/series.ts";
import { visiblePoints } from "../views/data/visible-points.ts";

/** Columns of an exported plot, in order, with what each holds. */
export const pointColumns = {
  time: "instant",
  provider: "text",
  type: "text",
  device_id: "text",
  app_id: "text",
  kind: "text",
  min: "number",
  max: "number",
  mean: "number",
  count: "count",
  unit: "text",
} as const;

/** One exported point. `time` is in milliseconds since 1970; the other members follow {@link pointColumns}. */
export type PointRow = { readonly [name in keyof typeof pointColumns]: string | number | null };

/** The visible points of a plot as rows, oldest first. */
export const toPointRows = (layers: readonly Layer[], unit: string | undefined, range: Range): readonly PointRow[] =>
  visiblePoints(layers, range)
    .toReversed()
    .map(({ source, point: [time, min, max, mean, count] }) => ({
      time,
      provider: source.provider,
      type: source.type ?? null,
      device_id: source.device_id ?? null,
      app_id: source.app_id ?? null,
      kind: source.kind ?? null,
      ...{ min, max, mean, count },
      unit: unit ?? null,
    }));
