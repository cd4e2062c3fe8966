import type { PriorityDataType, SourcePrioritiesRecord } from "../../domain/connections/sources/source-priorities.ts";
import { type CheckedQuery, checkQuery } from "../../domain/queries/check-query.ts";
import { evaluateRows, type ResultTable } from "../../domain/queries/evaluation/evaluate-query.ts";
import { selectRows } from "../../domain/queries/evaluation/select-rows.ts";
import { explainGroups } from "../../domain/queries/explain/explain-groups.ts";
import type { Explanation } from "../../domain/queries/explain/explanation.ts";
import type { QueriedTable } from "../../domain/queries/expressions/expression-names.ts";
import { formatFloating } from "../../domain/queries/floating-time.ts";
import type { MergeMode } from "../../domain/queries/merge-mode.ts";
import {
  MAX_EXPLAINED_GROUPS_PER_QUERY,
  MAX_EXPLAINED_VALUES_PER_REQUEST,
  MAX_VALUES_PER_REQUEST,
  maxRows,
  valuesPerRow,
} from "../../domain/queries/query-limits.ts";
import type { ResolvedQuery } from "../../domain/queries/resolved-query.ts";
import type { SourcePriorities } from "../../domain/queries/rows/rows.ts";
import { daysToRead, exceedsMaxAlignedGroups, resolveTimeframe } from "../../domain/queries/timeframe.ts";
import type { QueryBatch } from "../../domain/queries/wire-query.ts";
import { floatingTimeConverter } from "../../domain/shared/local-day.ts";
import { queryUnits } from "../../domain/usage/work-budget.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import type { WorkMeter } from "../../runtime/callers/work-limit.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ValidationFailed } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { readRows, TooManySamples } from "./read-rows.ts";

/** Stores that queries read. */
export type ExecuteQueryBatchDependencies = Dependencies<"chunks" | "summaries">;

/** The user to query, with the source priorities of the team. */
export interface QueryContext {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  readonly priorities: SourcePrioritiesRecord;
  /** Merge rule of queries that name none. */
  readonly defaultMerge: MergeMode;
  /** Instant of the data, epoch ms; by default the current state. */
  readonly asOfMs?: number | undefined;
  /** The budgets charged for the query. */
  readonly work?: Pick<WorkMeter, "record">;
}

/** The result of one query, with its column types. */
export interface QueryResult {
  readonly table: ResultTable;
  readonly checked: CheckedQuery;
  readonly explanation?: Explanation[];
}

/** A result with the number of values that the query read. */
interface CountedResult extends QueryResult {
  readonly valuesRead: number;
}

/** Cost factor of an explained query. */
const EXPLAIN_COST_FACTOR = 20;

/** Executes a batch of queries in sequence. @throws ValidationFailed with all problems of all queries. */
export async function executeQueryBatch(
  deps: ExecuteQueryBatchDependencies,
  asking: QueryContext,
  { timeframe, queries, config }: QueryBatch,
  isExplained: boolean,
): Promise<QueryResult[]> {
  const span = resolveTimeframe(timeframe);
  const checked = checkBatch(queries, span);
  const answers: QueryResult[] = [];
  let left = isExplained ? MAX_EXPLAINED_VALUES_PER_REQUEST : MAX_VALUES_PER_REQUEST;
  for (const [index, query] of queries.entries()) {
    const merge = config?.merge ?? asking.defaultMerge;
    const resolved = { ...query, ...resolveQuerySettings(asking.user, merge, asking.asOfMs), timeframe: span };
    const overrides = config?.provider_priority_overrides ?? [];
    const rowLimit = maxRows(query, left);
    const one = await executeQuery(
      deps,
      { ...asking, rowLimit },
      resolved,
      checked[index] as CheckedQuery,
      overrides,
      isExplained,
    );
    left -= one.valuesRead;
    await asking.work?.record(queryUnits(one.valuesRead * (isExplained ? EXPLAIN_COST_FACTOR : 1)));
    answers.push(one);
  }
  requireResultSize(answers);
  return answers;
}

/** Maximum cells in one response; a Lambda response holds 6 MB. */
const MAX_CELLS = 200_000;

/** @throws ValidationFailed if the results exceed one response. */
function requireResultSize(answers: readonly QueryResult[]): void {
  const cells = answers.flatMap(({ table }) => Object.values(table)).reduce((sum, column) => sum + column.length, 0);
  if (cells <= MAX_CELLS) return;
  throw ValidationFailed.at(["body", "timeframe"], "The results are too large for one response");
}

/** Settings that a query depends on besides its text. @param nowMs the current time of the query, epoch ms. */
export function resolveQuerySettings(
  { fallback_time_zone }: UserRecord,
  merge: ResolvedQuery["merge"],
  nowMs = ports().clock.now(),
) {
  const now = floatingTimeConverter(fallback_time_zone.id)(nowMs, Number.NaN);
  return { time_zone: fallback_time_zone.id, merge, now: formatFloating(now) };
}

function checkBatch(queries: QueryBatch["queries"], span: ReturnType<typeof resolveTimeframe>): CheckedQuery[] {
  const checked = queries.map(checkQuery);
  const problems = checked.flatMap((one, index) => {
    const found = "columns" in one ? [] : one;
    return found.map(({ path, message }) => ({
      loc: ["body", "queries", index, ...path],
      msg: message,
      type: "value_error",
    }));
  });
  if (problems.length > 0) throw new ValidationFailed(problems);
  const fine = queries.findIndex((query) => exceedsMaxAlignedGroups(query, span));
  if (fine >= 0)
    throw ValidationFailed.at(["body", "queries", fine, "align"], "Too many groups to fill in this timeframe");
  return checked as CheckedQuery[];
}

function tooMuchDataError(isExplained: boolean): ValidationFailed {
  const narrower = "a shorter timeframe, fewer columns, or fewer queries per request";
  const what = isExplained ? "one request can explain" : "one request can read";
  return ValidationFailed.at(["body", "timeframe"], `This timeframe has more data than ${what}: use ${narrower}`);
}

/** Executes one checked query. @throws ValidationFailed if the query would read too many samples. */
async function executeQuery(
  deps: ExecuteQueryBatchDependencies,
  { scope, user, priorities, asOfMs, rowLimit }: QueryContext & { readonly rowLimit: number },
  query: ResolvedQuery,
  checked: CheckedQuery,
  overrides: readonly string[],
  isExplained: boolean,
): Promise<CountedResult> {
  const ranking = { overrides, providers: tablePriorities(checked.table, priorities) };
  const reading = {
    scope,
    userId: user.user_id,
    floatingOf: floatingTimeConverter(query.time_zone),
    priorities: ranking,
    asOfMs,
    maxRows: rowLimit,
  };
  const days = daysToRead(checked.table, query.timeframe, query);
  const set = await readRows(deps, reading, checked.table, days).catch((error) => {
    if (!(error instanceof TooManySamples)) throw error;
    throw tooMuchDataError(isExplained);
  });
  if (set.count > rowLimit) throw tooMuchDataError(isExplained);
  const looked = set.count * valuesPerRow(query);
  const table = evaluateRows(query, checked, set, ranking);
  if (!isExplained) return { table, checked, valuesRead: looked };
  const selection = selectRows(query, checked.table, set, ranking);
  if (selection.groups.length > MAX_EXPLAINED_GROUPS_PER_QUERY)
    throw ValidationFailed.at(
      ["query", "explain"],
      `More than ${MAX_EXPLAINED_GROUPS_PER_QUERY} groups: use longer groups`,
    );
  return { table, checked, valuesRead: looked, explanation: explainGroups(query, set, selection, ranking) };
}

const dataTypes: Readonly<Record<string, PriorityDataType>> = {
  sleep: "sleep",
  derived_readiness: "sleep",
  activity: "activity",
  workout: "workouts",
  body: "body",
};

/** The provider priorities of a table. */
export function tablePriorities(table: QueriedTable, stored: SourcePrioritiesRecord): SourcePriorities["providers"] {
  const type = typeof table === "string" ? dataTypes[table] : "timeseries";
  return (type && stored[type]) ?? {};
}
