import * as z from "zod";
import type { RangeQuery, TimeseriesQuery } from "../../domain/timeseries/range-query.ts";
import type { TimeseriesResource } from "../../domain/timeseries/resource.ts";
import { ValidationFailed } from "../../runtime/errors.ts";
import { Answer } from "../../runtime/http/answer.ts";
import { type PageCursor, selectCursor } from "../../runtime/http/page-cursor.ts";
import { wireSourceOf } from "../../runtime/wire-source.ts";
import { positionText } from "../../store/cursor.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { ChunkSlice } from "../../store/timeseries/chunk-slice.ts";
import type { ChunkStore } from "../../store/timeseries/chunks.ts";
import { parseAsOf } from "./parse-as-of.ts";
import { requireDateRange } from "./require-date-range.ts";
import { SamplePage } from "./sample-page.ts";

/** End of a page: sort key of the chunk, and start and subtype of the last returned sample. */
export const samplePosition = z.tuple([positionText, z.number(), z.string()]);
export type SamplePosition = z.output<typeof samplePosition>;

/** Reads one page of grouped samples, with a cursor if more follow. @throws as {@link parseAsOf} */
export async function readTimeseriesPage(
  chunks: ChunkStore,
  scope: TeamScope,
  userId: string,
  resource: TimeseriesResource,
  query: TimeseriesQuery,
  pages: PageCursor,
): Promise<Answer> {
  const [range, asOf] = [requireDateRange(query), parseAsOf(query)];
  const { cursor, at } = selectCursor(query);
  let after: SamplePosition | undefined = pages.read(cursor, samplePosition, at);
  const page = new SamplePage(resource, sourceOf);
  let isMore = false;
  for await (const slice of chunks.read(scope, userId, resource, { range, after: after?.[0], asOfMs: asOf })) {
    if (query.provider !== "" && slice.provider !== query.provider) continue;
    const from = firstIndexAfter(slice, after);
    const to = page.add(slice, from);
    if (to > from) after = samplePositionOf(slice, to - 1);
    isMore = to < slice.to;
    if (isMore) break;
  }
  const next = JSON.stringify(isMore && after ? pages.write(after) : null);
  return new Answer(`{"groups":${page.groups()},"next_cursor":${next},"next":${next}}`);
}

const sourceOf = ({ provider, sourceType: type, deviceId: device_id, appId: app_id }: ChunkSlice) =>
  wireSourceOf({ provider, type, device_id, app_id });

/** Index of the first sample of a slice after the end of the previous page. */
export function firstIndexAfter({ sk, columns, from, to }: ChunkSlice, after: SamplePosition | undefined): number {
  if (!after || sk !== after[0]) return from;
  const [, afterStart, afterSubtype] = after;
  for (let index = from; index < to; index++) {
    const start = columns.starts[index] ?? 0;
    if (start > afterStart || (start === afterStart && (columns.subtypes[index] ?? "") > afterSubtype)) return index;
  }
  return to;
}

export function samplePositionOf({ sk, columns }: ChunkSlice, index: number): SamplePosition {
  return [sk, columns.starts[index] ?? 0, columns.subtypes[index] ?? ""];
}

/**
 * Reads all samples of a range in one list ordered by start, of one subtype if given.
 * @throws ValidationFailed for more samples than a page: only the grouped form has a cursor.
 */
export async function readTimeseriesList(
  chunks: ChunkStore,
  scope: TeamScope,
  userId: string,
  resource: TimeseriesResource,
  query: RangeQuery,
  subtype?: string,
): Promise<Answer> {
  const page = new SamplePage(resource, sourceOf);
  const found: [start: number, text: string][] = [];
  for await (const slice of chunks.read(scope, userId, resource, { range: requireDateRange(query) })) {
    if (query.provider !== "" && slice.provider !== query.provider) continue;
    for (let index = slice.from; index < slice.to; index++) {
      if (subtype !== undefined && slice.columns.subtypes[index] !== subtype) continue;
      const text = page.write(slice.columns, index);
      if (text === undefined)
        throw ValidationFailed.at(
          ["query", "end_date"],
          "One response cannot hold this many samples; use the grouped form",
        );
      found.push([slice.columns.starts[index] ?? 0, text]);
    }
  }
  // The store yields the sources of each bucket in turn, so the joined list needs sorting.
  found.sort(([a], [b]) => a - b);
  return new Answer(`[${found.map(([, text]) => text).join(",")}]`);
}
