import * as z from "zod";
import { type DateRange, dateRange } from "../domain/date-range.ts";
import type { RangeQuery, TimeseriesQuery } from "../domain/timeseries/query.ts";
import type { TimeseriesResource } from "../domain/timeseries/resource.ts";
import type { ChunkSlice } from "../store/chunk-slice.ts";
import type { ChunkStore } from "../store/chunks.ts";
import { positionText } from "../store/cursor.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { Answer } from "./answer.ts";
import { asOfMs } from "./as-of.ts";
import { ValidationFailed } from "./errors.ts";
import { eitherCursor, type PageCursor } from "./page-cursor.ts";
import { PageText } from "./page-text.ts";
import { wireSourceOf } from "./wire-source.ts";

/** End of a page: sort key of the chunk, and start and subtype of the last returned sample. */
const position = z.tuple([positionText, z.number(), z.string()]);
type Position = z.output<typeof position>;

/** Parses the date range of a query. @throws ValidationFailed that names the invalid boundary. */
export function rangeOf(query: Pick<RangeQuery, "start_date" | "end_date">): DateRange {
  const range = dateRange(query.start_date, query.end_date);
  if (typeof range === "string")
    throw ValidationFailed.at(["query", range], "Not a date or ISO 8601 date-time, or before start_date");
  return range;
}

/** Reads one page of grouped samples, with a cursor if more follow. @throws as {@link asOfMs} */
export async function readPage(
  chunks: ChunkStore,
  scope: TeamScope,
  userId: string,
  resource: TimeseriesResource,
  query: TimeseriesQuery,
  pages: PageCursor,
): Promise<Answer> {
  const [range, asOf] = [rangeOf(query), asOfMs(query)];
  const { cursor, at } = eitherCursor(query);
  let after: Position | undefined = pages.read(cursor, position, at);
  const page = new PageText(resource);
  let isMore = false;
  for await (const slice of chunks.read(scope, userId, resource, { range, after: after?.[0], asOfMs: asOf })) {
    if (query.provider !== "" && slice.provider !== query.provider) continue;
    const from = firstUnanswered(slice, after);
    const to = page.add(slice, from);
    if (to > from) after = positionOf(slice, to - 1);
    isMore = to < slice.to;
    if (isMore) break;
  }
  const next = JSON.stringify(isMore && after ? pages.write(after) : null);
  const groups = page.groups((provider, type) => wireSourceOf({ provider, type }));
  return new Answer(`{"groups":${groups},"next_cursor":${next},"next":${next}}`);
}

/** Index of the first sample of a slice after the end of the previous page. */
function firstUnanswered({ sk, columns, from, to }: ChunkSlice, after: Position | undefined): number {
  if (!after || sk !== after[0]) return from;
  const [, afterStart, afterSubtype] = after;
  for (let index = from; index < to; index++) {
    const start = columns.starts[index] ?? 0;
    if (start > afterStart || (start === afterStart && (columns.subtypes[index] ?? "") > afterSubtype)) return index;
  }
  return to;
}

function positionOf({ sk, columns }: ChunkSlice, index: number): Position {
  return [sk, columns.starts[index] ?? 0, columns.subtypes[index] ?? ""];
}

/**
 * Reads all samples of a range in one list ordered by start, of one subtype if given.
 * @throws ValidationFailed for more samples than a page: only the grouped form has a cursor.
 */
export async function readPlain(
  chunks: ChunkStore,
  scope: TeamScope,
  userId: string,
  resource: TimeseriesResource,
  query: RangeQuery,
  subtype?: string,
): Promise<Answer> {
  const page = new PageText(resource);
  const found: [start: number, text: string][] = [];
  for await (const slice of chunks.read(scope, userId, resource, { range: rangeOf(query) })) {
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
