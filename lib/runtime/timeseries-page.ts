import * as z from "zod";
import { type DateRange, dateRange } from "../domain/date-range.ts";
import type { RangeQuery, TimeseriesQuery } from "../domain/timeseries/query.ts";
import type { TimeseriesResource } from "../domain/timeseries/resource.ts";
import { toGroupedSample, type WireSample } from "../domain/timeseries/wire-sample.ts";
import type { ChunkStore } from "../store/chunks.ts";
import { decodeCursor, encodeCursor } from "../store/cursor.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { ValidationFailed } from "./errors.ts";
import { wireSourceOf } from "./wire-source.ts";

/** The most samples of a page; as JSON, escaped as a Lambda answers it, they stay below 5 MB of the 6 that it may. */
const SAMPLES_PER_PAGE = 20_000;
/** Texts may be long (a note has up to 4,096 characters of up to 6 escaped bytes). */
const TEXTS_PER_PAGE = 180;

const samplesPerPage = ({ value }: TimeseriesResource) => (value === "string" ? TEXTS_PER_PAGE : SAMPLES_PER_PAGE);

/** Where a page ended: the chunk (its sort key), and start and subtype of its last sample that was answered. */
const position = z.tuple([z.string(), z.number(), z.string()]);
type Position = z.output<typeof position>;

/** The range of a query. @throws ValidationFailed naming the boundary that can not be read. */
export function rangeOf(query: Pick<RangeQuery, "start_date" | "end_date">): DateRange {
  const range = dateRange(query.start_date, query.end_date);
  if (typeof range === "string")
    throw ValidationFailed.at(["query", range], "Not a date or ISO 8601 date-time, or before start_date");
  return range;
}

interface Group {
  readonly provider: string;
  readonly sourceType: string;
  readonly data: WireSample[];
}

/** One page of samples in groups, with the cursor of the next page while there is more. */
export async function readPage(
  chunks: ChunkStore,
  scope: TeamScope,
  userId: string,
  resource: TimeseriesResource,
  query: TimeseriesQuery,
) {
  const range = rangeOf(query);
  const bound = [userId, resource.name, query.start_date, query.end_date ?? "", query.provider].join("|");
  let after = readCursor(query, bound);
  const groups = new Map<string, Group>();
  let room = samplesPerPage(resource);
  let isMore = false;
  for await (const chunk of chunks.read(scope, userId, resource, range, after?.[0])) {
    if (query.provider !== "" && chunk.provider !== query.provider) continue;
    const samples = chunk.samples.filter((sample) => !isAnswered(after, chunk.sk, sample));
    if (samples.length === 0) continue;
    isMore = room === 0 || samples.length > room;
    const taken = samples.slice(0, room);
    const group = groupOf(groups, chunk);
    for (const sample of taken) group.data.push(toGroupedSample(resource, sample));
    const last = taken.at(-1);
    if (last) after = [chunk.sk, last.start, last.subtype ?? ""];
    room -= taken.length;
    if (isMore) break;
  }
  const next = isMore && after ? encodeCursor(after, bound) : null;
  return { groups: render(groups), next_cursor: next, next };
}

/** Whether a page before this one has answered the sample. */
function isAnswered(after: Position | undefined, sk: string, sample: { start: number; subtype?: string }): boolean {
  if (!after || sk !== after[0]) return false;
  return sample.start < after[1] || (sample.start === after[1] && (sample.subtype ?? "") <= after[2]);
}

function readCursor(query: TimeseriesQuery, bound: string): Position | undefined {
  const given = query.next_cursor || query.cursor;
  if (!given) return undefined;
  const after = decodeCursor(given, bound, position);
  if (!after) throw ValidationFailed.at(["query", "next_cursor"], "Not a cursor of this query");
  return after;
}

function groupOf(
  groups: Map<string, Group>,
  { provider, sourceType }: { provider: string; sourceType: string },
): Group {
  const name = `${provider}#${sourceType}`;
  const group = groups.get(name) ?? { provider, sourceType, data: [] };
  groups.set(name, group);
  return group;
}

function render(groups: Map<string, Group>) {
  const byProvider: Record<string, { source: ReturnType<typeof wireSourceOf>; data: WireSample[] }[]> = {};
  for (const { provider, sourceType, data } of groups.values()) {
    if (data.length === 0) continue;
    const source = wireSourceOf({ provider, type: sourceType });
    byProvider[provider] = [...(byProvider[provider] ?? []), { source, data }];
  }
  return byProvider;
}

/**
 * All samples of a range in one list, of one sub-type if it is named.
 * @throws ValidationFailed when they are more than a page: only the grouped form has a cursor.
 */
export async function readPlain(
  chunks: ChunkStore,
  scope: TeamScope,
  userId: string,
  resource: TimeseriesResource,
  query: RangeQuery,
  subtype?: string,
): Promise<WireSample[]> {
  const list: WireSample[] = [];
  for await (const chunk of chunks.read(scope, userId, resource, rangeOf(query), undefined)) {
    if (query.provider !== "" && chunk.provider !== query.provider) continue;
    const samples = chunk.samples.filter((sample) => subtype === undefined || sample.subtype === subtype);
    for (const sample of samples) list.push(toGroupedSample(resource, sample));
    if (list.length > samplesPerPage(resource)) {
      throw ValidationFailed.at(["query", "end_date"], "More samples than one answer holds; use the grouped form");
    }
  }
  // Sources alternate bucket by bucket; one list of them has to be brought into order.
  return list.sort((a, b) => Date.parse(a.start) - Date.parse(b.start));
}
