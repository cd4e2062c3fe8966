import { queryOf, request } from "./request.ts";
import type { Source } from "./series.ts";

/** An argument of an aggregate: a field of samples, or a column of summaries. */
export type AggregateArgument =
  | { readonly timeseries: string; readonly field: "value" }
  | { readonly activity: string }
  | { readonly sleep: string };

/** How sources are merged; `team` is the rule of the team's settings. */
export type MergeRule = "team" | "strict" | "interval";

/** A stretch of the user's local time. */
interface LocalInterval {
  readonly from: string;
  readonly to: string;
}

/** The rows of one source in an explanation, whether they count or not. */
export interface ExplainedSource {
  readonly source: Source;
  readonly rows: number;
  readonly intervals: readonly LocalInterval[];
  readonly more_intervals: number;
  readonly values: Readonly<Record<string, number | null>>;
  readonly because?: string;
}

/** Why a group of a result has its value. */
export interface Explanation {
  readonly group: readonly unknown[];
  readonly rule: string;
  readonly used: readonly ExplainedSource[];
  readonly set_aside: readonly ExplainedSource[];
  readonly in_words: string;
}

interface Result {
  readonly table: Readonly<Record<string, readonly (number | string | null)[]>>;
  readonly explanation?: readonly Explanation[];
}

/** One aggregate over days of a user's local time. */
export interface DailyQuery {
  readonly argument: AggregateArgument;
  readonly func: string;
  /** The last day. */
  readonly day: string;
  readonly days: number;
  readonly merge: MergeRule;
  /** The unit of the groups. */
  readonly every?: "day" | "hour";
  /** Only what the service had received until this instant counts. */
  readonly asOf?: string | undefined;
}

/** A value of a group of local time. */
export interface GroupValue {
  readonly group: string;
  readonly value: number | null;
  readonly explanation?: Explanation | undefined;
}

/** Computes an aggregate for each day or hour, with the explanation of each value if it is wanted. */
export async function queryDays(
  userId: string,
  query: DailyQuery,
  isExplained: boolean,
  signal: AbortSignal,
): Promise<readonly GroupValue[]> {
  const { argument, func, day, days, merge, every = "day", asOf } = query;
  const [table = ""] = Object.keys(argument);
  const body = {
    timeframe: { type: "relative", anchor: day, past: { value: days, unit: "day" } },
    queries: [
      {
        select: [{ group_key: "*" }, { func, arg: argument }],
        group_by: [{ date_trunc: { value: 1, unit: every }, arg: { index: table } }],
      },
    ],
    ...(merge === "team" ? {} : { config: { merge } }),
  };
  const parameters = queryOf({ explain: isExplained ? "true" : undefined, as_of: asOf });
  const path = `/aggregate/v1/user/${userId}/query${parameters}`;
  const { results } = await request<{ readonly results: readonly Result[] }>(path, { method: "POST", body, signal });
  const [result] = results;
  const values = Object.entries(result?.table ?? {}).find(([name]) => !name.startsWith("group_key"))?.[1] ?? [];
  return (result?.table["group_key.0"] ?? []).map((group, at) => ({
    group: String(group),
    value: values[at] as number | null,
    explanation: result?.explanation?.[at],
  }));
}
