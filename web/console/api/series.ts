import { mergePoints } from "./merge-points.ts";
import { queryOf, request } from "./request.ts";

/** The samples of an interval: its start in milliseconds, then minimum, maximum, mean and count. */
export type Point = readonly [t: number, min: number, max: number, mean: number, count: number];

/** Where samples come from. */
export interface Source {
  readonly provider: string;
  readonly type?: string | null;
  readonly device_id?: string | null;
  readonly app_id?: string | null;
  /** Kind or field of the values, where samples have several: `ldl`, `systolic`. */
  readonly kind?: string | null;
}

/** The samples of one source, reduced to points. */
export interface Layer {
  readonly source: Source;
  readonly points: readonly Point[];
}

/** The samples of a resource in a range. */
export interface Series {
  readonly resource: string;
  readonly unit: string | null;
  readonly layers: readonly Layer[];
  /** Number of samples that the points stand for. */
  readonly reduced_from: number;
}

/** A range of time in milliseconds, without its end. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

interface SeriesPage {
  readonly resource: string;
  readonly unit: string | null;
  readonly layers: readonly (Layer & { readonly type: string | null; readonly field: string | null })[];
  readonly reduced_from: number;
  readonly next_cursor: string | null;
}

/** Retrieves a resource of a user over a range, reduced to at most so many points per source. */
export async function getSeries(
  userId: string,
  resource: string,
  range: Range,
  points: number,
  signal: AbortSignal,
): Promise<Series> {
  const [start_date, end_date] = [range.from, range.to].map((ms) => new Date(ms).toISOString());
  const layers = new Map<string, { source: Source; points: Point[] }>();
  let [unit, samples]: [string | null, number] = [null, 0];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = queryOf({ start_date, end_date, points, next_cursor: cursor });
    const page: SeriesPage = await request(`/console/users/${userId}/series/${resource}${query}`, { signal });
    for (const layer of page.layers) append(layers, layer);
    unit = page.unit;
    samples += page.reduced_from;
    cursor = page.next_cursor ?? null;
  }
  const merged = [...layers.values()].map((layer) => ({ ...layer, points: mergePoints(layer.points, range, points) }));
  return { resource, unit, layers: merged, reduced_from: samples };
}

/** Appends the points of a page. The last interval of a page may continue on the next one. */
function append(layers: Map<string, { source: Source; points: Point[] }>, layer: SeriesPage["layers"][number]): void {
  const source = { ...layer.source, kind: layer.field ?? layer.type };
  const key = sourceKey(source);
  const known = layers.get(key) ?? { source, points: [] };
  layers.set(key, known);
  known.points.push(...layer.points);
}

/** Identifies a source among those of a user. */
export const sourceKey = ({ provider, type, device_id, app_id, kind }: Source) =>
  [provider, type, device_id, app_id, kind].map((part) => part ?? "").join("|");
