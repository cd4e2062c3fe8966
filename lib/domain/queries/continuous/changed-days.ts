import { DAY_MS } from "../../shared/durations.ts";
import { formatInstant } from "../../shared/instant.ts";
import type { ToFloatingTime } from "../../shared/local-day.ts";
import type { Sample } from "../../timeseries/chunk/sample.ts";
import { checkQuery } from "../check-query.ts";
import type { QueriedTable } from "../expressions/expression-names.ts";
import { addPeriod, formatFloating, truncate } from "../floating-time.ts";
import { MAX_COVERED_MS } from "../query-limits.ts";
import { BASELINE_DAYS } from "../rows/readiness-rows.ts";
import type { RowSet } from "../rows/row-set.ts";
import type { RowSource, SampleRow } from "../rows/rows.ts";
import { sampleRows } from "../rows/sample-rows.ts";
import { summaryRows } from "../rows/summary-rows.ts";
import type { TableName } from "../tables/columns.ts";
import type { FloatingSpan } from "../timeframe.ts";
import type { ContinuousQuery } from "./continuous-query.ts";

const tablesOfEvents: Readonly<Record<string, TableName>> = {
  sleep: "sleep",
  activity: "activity",
  workouts: "workout",
  body: "body",
  meal: "meal",
  menstrual_cycle: "menstrual_cycle",
  profile: "profile",
};

/** The table or timeseries that a query reads; undefined for an invalid query. */
export function queriedTable({ query }: Pick<ContinuousQuery, "query">): QueriedTable | undefined {
  const checked = checkQuery(query);
  return "table" in checked ? checked.table : undefined;
}

/** A data event: type (resource and verb) and payload. */
export interface DataEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The floating-time days, counted from 1970-01-01, on which a data event changes the result of a query over a table.
 * Updated data may have moved by one day, so the days before and after are included.
 */
export function changedDays({ type, data }: DataEvent, table: QueriedTable, floatingOf: ToFloatingTime): number[] {
  const [stage, , resource = "", verb] = type.split(".");
  if (!dependsOnResource(table, resource)) return [];
  const days = stage === "historical" ? rangeDays(data) : rowDays(eventRows(resource, data, floatingOf));
  const near = verb === "updated" || stage === "historical" ? withNearDays(days) : days;
  const all = table === "derived_readiness" ? near.flatMap(withBaselineDays) : near;
  return [...new Set(all)].filter(Number.isInteger);
}

/** The floating-time days on which deleted samples of a timeseries change results. Their offsets may be lost. */
export function deletedDays(timeseries: string, samples: readonly Sample[], floatingOf: ToFloatingTime): number[] {
  const source = { provider: "", type: "" };
  const rows = samples.map(({ start, end, offsetS }): SampleRow => {
    const [timestamp, until] = [formatInstant(start), formatInstant(end ?? start)];
    return { timestamp, end: until, value: null, timezone_offset: offsetS, source };
  });
  return withNearDays(rowDays(sampleRows(timeseries, rows, floatingOf)));
}

const withNearDays = (days: readonly number[]) => [...new Set(days.flatMap((day) => [day - 1, day, day + 1]))];

/** Whether a table is built from a resource. */
export function dependsOnResource(table: QueriedTable, resource: string): boolean {
  if (typeof table !== "string") return resource === table.timeseries;
  const source = table === "derived_readiness" ? "sleep" : table;
  return tablesOfEvents[resource] === source || (table === "sleep" && resource === "sleep_cycle");
}

/** A night is part of the baseline of the following nights. */
const withBaselineDays = (day: number) => Array.from({ length: BASELINE_DAYS + 1 }, (_, after) => day + after);

function rangeDays({ start_date, end_date }: DataEvent["data"]): number[] {
  const [first, last] = [start_date, end_date].map((date) => Math.floor(Date.parse(String(date)) / DAY_MS));
  if (first === undefined || last === undefined || !(last >= first)) return [];
  return Array.from({ length: last - first + 1 }, (_, after) => first + after);
}

function eventRows(resource: string, data: DataEvent["data"], floatingOf: ToFloatingTime): RowSet {
  const table = tablesOfEvents[resource];
  const source = data.source as RowSource;
  if (table) return summaryRows(table, [{ ...data, source }], floatingOf);
  if (resource === "sleep_cycle") {
    const session = { ...data, source, bedtime_start: data.session_start, bedtime_stop: data.session_end };
    return summaryRows("sleep", [session], floatingOf);
  }
  const samples = (data.data as readonly SampleRow[]).map((sample) => ({ ...sample, source }));
  return sampleRows(resource, samples, floatingOf);
}

/**
 * The days of each row's index, all days it covers, and those of rows that it may cover: of amounts and sessions, a
 * part of a row that starts earlier, of sessions also one that ends later.
 */
function rowDays({ count, floating, begins, ends, instants, coverage }: RowSet): number[] {
  const days = new Set<number>();
  const before = { amount: MAX_COVERED_MS, session: DAY_MS, sample: 0 }[coverage];
  const after = coverage === "session" ? DAY_MS : 0;
  for (let row = 0; row < count; row++) {
    const at = floating[row] ?? Number.NaN;
    const shift = at - (instants[row] ?? at);
    const first = Math.min(at, (begins[row] ?? at) + shift) - before;
    const last = Math.max(at, (ends[row] ?? at) + shift - 1) + after;
    for (let day = Math.floor(first / DAY_MS); day <= Math.floor(last / DAY_MS); day++) days.add(day);
  }
  return [...days];
}

/** The `date_trunc` groups that contain the given days, with adjacent groups joined. */
export function affectedSpans({ query }: Pick<ContinuousQuery, "query">, days: Iterable<number>): FloatingSpan[] {
  const [period] = (query.group_by ?? []).flatMap((item) => ("date_trunc" in item ? [item.date_trunc] : []));
  if (!period) return [];
  const group = truncate(period);
  const spans: [from: number, to: number][] = [];
  for (const day of [...days].sort((a, b) => a - b)) {
    const from = group(day * DAY_MS);
    const to = addPeriod(group((day + 1) * DAY_MS - 1), period);
    const last = spans.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else spans.push([from, to]);
  }
  return spans.map(([from, to]) => ({ from: formatFloating(from), to: formatFloating(to) }));
}
