import { queryOf, request } from "./request.ts";

/** One bucket of samples, or one sample: its time in milliseconds, then minimum, maximum, mean and count. */
export type Point = readonly [t: number, min: number, max: number, mean: number, count: number];

/** Where samples come from. */
export interface Source {
  readonly provider: string;
  readonly type?: string | null;
  readonly device_id?: string | null;
  readonly app_id?: string | null;
  readonly [more: string]: unknown;
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

/** Retrieves a resource of a user over a range, reduced to at most so many points per source. */
export const getSeries = (userId: string, resource: string, { from, to }: Range, points: number, signal: AbortSignal) =>
  request<Series>(
    `/console/users/${userId}/series/${resource}${queryOf({
      start_date: new Date(from).toISOString(),
      end_date: new Date(to).toISOString(),
      points,
    })}`,
    { signal },
  );

/** Identifies a source among those of a user. */
export const sourceKey = ({ provider, type, device_id, app_id }: Source) =>
  [provider, type, device_id, app_id].map((part) => part ?? "").join("|");
