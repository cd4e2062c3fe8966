import * as z from "zod";
import { formatInstant } from "../../domain/shared/instant.ts";
import { ReducedSeries, type SeriesLayer, seriesWidthMs } from "../../domain/timeseries/reduced-series.ts";
import type { TimeseriesResource } from "../../domain/timeseries/resource.ts";
import type { SeriesQuery, wireSeries } from "../../domain/timeseries/wire-series.ts";
import type { PageCursor } from "../../runtime/http/page-cursor.ts";
import { isoNow } from "../../runtime/ports.ts";
import { wireSourceOf } from "../../runtime/wire-source.ts";
import { positionText } from "../../store/cursor.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { ChunkStore } from "../../store/timeseries/chunks.ts";
import { requireDateRange } from "./require-date-range.ts";

/** Maximum number of chunks that a page reads, about 1 KB each: more than a year of heart rate every five seconds. */
const MAX_CHUNKS_PER_PAGE = 20_000;
/** Maximum number of points of a page, so that it stays below 4 MB. A layer counts as some points. */
const MAX_POINTS_PER_PAGE = 50_000;
const POINTS_PER_LAYER = 10;

/** Latest instant that ISO 8601 text of a date has. */
const MAX_INSTANT_MS = 8.64e15;
/** Sort key of the first chunk of a page, and the end of the range (epoch ms), which stays that of the first page. */
const seriesPosition = z.tuple([positionText, z.int().min(-MAX_INSTANT_MS).max(MAX_INSTANT_MS)]);

/** The read of a series. */
interface SeriesRead {
  readonly scope: TeamScope;
  readonly userId: string;
  readonly resource: TimeseriesResource;
  readonly query: SeriesQuery;
  readonly pages: PageCursor;
  /** Maximum number of chunks of a page; by default {@link MAX_CHUNKS_PER_PAGE}. */
  readonly maxChunks?: number;
}

/**
 * Reads the samples of a range, and reduces them to at most `points` points for each source. A page ends between two
 * chunks when it has read its maximum; its last intervals may continue on the next page.
 * @throws ValidationFailed for an invalid range or cursor.
 */
export async function readSeries(
  chunks: Pick<ChunkStore, "read">,
  { scope, userId, resource, query, pages, maxChunks = MAX_CHUNKS_PER_PAGE }: SeriesRead,
): Promise<z.output<typeof wireSeries>> {
  const [after, endMs] = pages.read(query.next_cursor, seriesPosition) ?? [];
  const end = endMs === undefined ? isoNow() : new Date(endMs).toISOString();
  const range = requireDateRange({ ...query, end_date: query.end_date || end });
  const reduced = new ReducedSeries(resource, range, query.points);
  let [chunksRead, next]: [number, string | null] = [0, null];
  for await (const slice of chunks.read(scope, userId, resource, { range, after, readsWholeRange: true })) {
    if (chunksRead === maxChunks || isFull(reduced)) {
      next = pages.write([slice.sk, range.toMs]);
      break;
    }
    chunksRead++;
    if (query.provider === "" || slice.provider === query.provider) reduced.add(slice);
  }
  return {
    ...{ resource: resource.name, unit: resource.unit },
    ...{ start: formatInstant(range.fromMs), end: formatInstant(range.toMs) },
    width_ms: seriesWidthMs(range, query.points),
    layers: reduced.layers().map(toWireLayer),
    reduced_from: reduced.size.samples,
    chunks_read: chunksRead,
    next_cursor: next,
  };
}

function isFull({ size: { points, layers } }: ReducedSeries): boolean {
  return points + layers * POINTS_PER_LAYER >= MAX_POINTS_PER_PAGE;
}

const toWireLayer = ({ provider, sourceType, deviceId, appId, type, field, points }: SeriesLayer) => ({
  source: wireSourceOf({ provider, type: sourceType, device_id: deviceId, app_id: appId }),
  type,
  field,
  points: points.map((point) => [...point] as [number, number, number, number, number]),
});
