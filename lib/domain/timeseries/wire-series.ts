import * as z from "zod";
import { queryInteger } from "../../contract/shared-schemas.ts";
import { wireSource } from "../connections/sources/source.ts";
import { rangeQuery } from "./range-query.ts";
import { isPlottable } from "./reduced-series.ts";
import { type resourceNames, timeseriesResources } from "./resources.ts";

/** Maximum number of points of a layer: more than a screen has columns. */
const MAX_POINTS = 2_000;

/** Names of the resources with numbers to plot. */
export const plottableNames = timeseriesResources.filter(isPlottable).map(({ name }) => name) as [
  (typeof resourceNames)[number],
];

export const seriesQuery = rangeQuery.extend({
  points: queryInteger(1, MAX_POINTS).default(1_000).describe("Maximum number of points of a layer"),
  next_cursor: z.string().max(2_000).optional().meta({ description: "Cursor of the page to return" }),
});
export type SeriesQuery = z.output<typeof seriesQuery>;

const wirePoint = z
  .tuple([
    z.number().describe("Start of the interval, or the time of its only value, epoch milliseconds"),
    z.number().describe("Minimum"),
    z.number().describe("Maximum"),
    z.number().describe("Mean"),
    z.int().describe("Number of values"),
  ])
  .meta({ id: "SeriesPoint" });

const wireLayer = z
  .object({
    source: wireSource,
    type: z.string().nullable().describe("Kind of samples that have several kinds, such as `ldl`; otherwise null"),
    field: z.string().nullable().describe("Field of the values, such as `systolic`; null for `value`"),
    points: z.array(wirePoint).describe("Points in order of time; intervals without a value have none"),
  })
  .meta({ id: "SeriesLayer" });

/** A reduced timeseries. */
export const wireSeries = z
  .object({
    resource: z.string(),
    unit: z.string(),
    start: z.string().describe("Start of the first interval, ISO 8601"),
    end: z.string().describe("End of the range, ISO 8601, inclusive"),
    width_ms: z.int().describe("Width of each interval, milliseconds"),
    layers: z.array(wireLayer),
    reduced_from: z.int().describe("Number of samples that this page stands for"),
    chunks_read: z.int().describe("Number of stored chunks that this page read"),
    next_cursor: z.string().nullable().describe("Cursor of the next page; null on the last page"),
  })
  .meta({ id: "ReducedSeries" });
