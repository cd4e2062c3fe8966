import { type CheckedQuery, checkQuery } from "../../../domain/queries/check-query.ts";
import { affectedSpans } from "../../../domain/queries/continuous/changed-days.ts";
import type { ContinuousQuery } from "../../../domain/queries/continuous/continuous-query.ts";
import type { QueryTask } from "../../../domain/queries/continuous/query-task.ts";
import { diffResultRows, type ResultChanges, toDeletedRow } from "../../../domain/queries/continuous/result-changes.ts";
import type { ResultRow } from "../../../domain/queries/evaluation/align-rows.ts";
import {
  evaluateGroups,
  fillEmptyGroups,
  groupKeyIndexes,
  toResultTable,
} from "../../../domain/queries/evaluation/evaluate-query.ts";
import type { QueriedTable } from "../../../domain/queries/expressions/expression-names.ts";
import { valuesPerRow } from "../../../domain/queries/query-limits.ts";
import type { ResolvedQuery } from "../../../domain/queries/resolved-query.ts";
import { daysToRead, type FloatingSpan } from "../../../domain/queries/timeframe.ts";
import { floatingTimeConverter } from "../../../domain/shared/local-day.ts";
import { resultUnits } from "../../../domain/usage/work-budget.ts";
import type { UserRecord } from "../../../domain/users/user.ts";
import { composeEvent, type NewEvent } from "../../../events/constructors/compose-event.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { PermanentError } from "../../../runtime/errors.ts";
import { isoNow } from "../../../runtime/ports.ts";
import type { QueryResultStore, ResultReference } from "../../../store/queries/query-results.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import type { TeamBudget } from "../../usage/team-budget.ts";
import { type ExecuteQueryBatchDependencies, resolveQuerySettings, tablePriorities } from "../execute-query-batch.ts";
import { type RowReadOptions, readRows } from "../read-rows.ts";

/** Dependencies of computing results. */
export type ComputeResultsDependencies = ExecuteQueryBatchDependencies &
  Dependencies<
    "users" | "teams" | "continuousQueries" | "queryTasks" | "queryResults" | "sourcePriorities" | "outbox" | "commit"
  > & {
    /** The budget charged for the computation. */ readonly budget: Pick<TeamBudget, "reserveRun" | "record">;
  };

/** Rows per transaction, besides their event. */
const ROWS_PER_TRANSACTION = 50;
const ALL_TIME: FloatingSpan = { from: "1900-01-01T00:00:00", to: "2999-12-31T00:00:00" };

/** One query for one user, with all inputs of its evaluation. */
interface Computation {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  readonly query: ContinuousQuery;
  readonly resolved: Omit<ResolvedQuery, "timeframe">;
  readonly checked: CheckedQuery;
  readonly reading: RowReadOptions;
  readonly of: ResultReference;
}

/**
 * Small tables that are computed as a whole. A changed profile leaves its group for that of the new change, and a cycle
 * can cover others that began long before; the event names neither.
 */
const wholeTables: ReadonlySet<QueriedTable> = new Set(["profile", "menstrual_cycle"]);

/**
 * Computes the groups that changed days affect; the first run computes all groups. One transaction writes rows and the
 * event of their change, so a repeated run finds no change and records no event twice.
 */
export async function computeChangedDays(
  deps: ComputeResultsDependencies,
  scope: TeamScope,
  user: UserRecord,
  query: ContinuousQuery,
  task: QueryTask,
): Promise<void> {
  const computation = await prepareComputation(deps, scope, user, query);
  const isWhole = !task.has_begun || wholeTables.has(computation.checked.table);
  const spans = isWhole ? [ALL_TIME] : affectedSpans(query, task.running_days ?? []);
  for (const [place, span] of spans.entries()) {
    const before = await deps.queryResults.list(scope, computation.of, span);
    const { after, looked } = await computeSpan(deps, computation, span);
    const changes = diffResultRows(before, after);
    await deps.budget.record(resultUnits(looked, changes.set.length + changes.deleted.length));
    await writeChanges(deps, computation, changes, `${task.run_id}#${place}`);
  }
}

async function prepareComputation(
  deps: ComputeResultsDependencies,
  scope: TeamScope,
  user: UserRecord,
  query: ContinuousQuery,
): Promise<Computation> {
  const checked = checkQuery(query.query);
  if (!("columns" in checked)) throw new PermanentError("a stored query is invalid");
  const { merge, provider_priority_overrides } = query.query_config;
  const [{ priorities }, rule] = await Promise.all([
    deps.sourcePriorities.get(scope),
    merge ?? deps.teams.get(scope.teamId).then((team) => team?.settings.source_merge),
  ]);
  const resolved = { ...query.query, ...resolveQuerySettings(user, rule) };
  const ranking = {
    overrides: provider_priority_overrides ?? [],
    providers: tablePriorities(checked.table, priorities),
  };
  const floatingOf = floatingTimeConverter(resolved.time_zone);
  const reading = { scope, userId: user.user_id, floatingOf, priorities: ranking };
  const of = { userId: user.user_id, queryId: query.id, time: timeKeyIndex(query) };
  return { scope, user, query, resolved, checked, reading, of };
}

/** The index of `date_trunc` among the group keys of a continuous query. */
const timeKeyIndex = ({ query }: Pick<ContinuousQuery, "query">) =>
  (query.group_by ?? []).findIndex((item) => "date_trunc" in item);

/** Computes the current groups of a span, without filled empty groups, and counts the values read. */
async function computeSpan(
  deps: ExecuteQueryBatchDependencies,
  { resolved, checked, reading }: Computation,
  timeframe: FloatingSpan,
): Promise<{ after: ResultRow[]; looked: number }> {
  const set = await readRows(deps, reading, checked.table, daysToRead(checked.table, timeframe, resolved));
  const after = evaluateGroups({ ...resolved, timeframe }, checked.table, set, reading.priorities);
  return { after, looked: set.count * valuesPerRow(resolved) };
}

async function writeChanges(
  deps: ComputeResultsDependencies,
  computation: Computation,
  changes: ResultChanges,
  name: string,
): Promise<void> {
  const { scope, of, query } = computation;
  const items = [
    ...changes.set.map((row) => deps.queryResults.putItem(scope, of, row)),
    ...changes.deleted.map((row) => deps.queryResults.deleteItem(scope, of, row)),
  ];
  const shown = query.export_preferences.data_events.enabled ? await visibleRows(deps, computation, changes) : [];
  for (let first = 0; first < Math.max(items.length, shown.length); first += ROWS_PER_TRANSACTION) {
    const rows = shown.slice(first, first + ROWS_PER_TRANSACTION);
    const changedEvents = rows.length === 0 ? [] : [toChangedEvent(computation, rows, `${name}#${first}`)];
    const events = changedEvents.map((event) => deps.outbox.appendItem(event, isoNow()));
    // The erasure of a user must not race with new rows.
    const isActive = deps.users.requireActiveItem(scope, of.userId);
    await deps.commit([isActive, ...items.slice(first, first + ROWS_PER_TRANSACTION), ...events]);
  }
}

/** Changed rows as readers see them. In a result with filled empty groups, a change can also alter filled rows. */
async function visibleRows(
  deps: ComputeResultsDependencies,
  { scope, of, resolved }: Computation,
  { set, deleted }: ResultChanges,
): Promise<ResultRow[]> {
  const keyAt = groupKeyIndexes(resolved);
  if (!resolved.align) return [...set, ...deleted.map((row) => toDeletedRow(row, keyAt))];
  const before = await deps.queryResults.list(scope, of);
  const names = new Set([...set, ...deleted].map(({ keys }) => JSON.stringify(keys)));
  const after = [...before.filter(({ keys }) => !names.has(JSON.stringify(keys))), ...set];
  const query = { ...resolved, timeframe: ALL_TIME };
  const changes = diffResultRows(fillEmptyGroups(before, query), fillEmptyGroups(after, query));
  return [...changes.set, ...changes.deleted.map((row) => toDeletedRow(row, keyAt))];
}

function toChangedEvent({ query, user, checked }: Computation, rows: readonly ResultRow[], name: string): NewEvent {
  const changes = { query_id: query.id, query_slug: query.slug, data: toResultTable(rows, checked.columns) };
  const key = `${query.id}#${user.user_id}#${name}`;
  const orderKey = `${query.id}#${user.user_id}`;
  return composeEvent(user, "continuous_query.result_table.changed", key, 1, [changes], orderKey);
}

/** Reads the stored result of a continuous query for a user, with filled empty groups. */
export async function readResultTable(
  queryResults: QueryResultStore,
  scope: TeamScope,
  user: UserRecord,
  query: ContinuousQuery,
) {
  const checked = checkQuery(query.query);
  if (!("columns" in checked)) throw new Error("a stored query is invalid");
  const rows = await queryResults.list(scope, { userId: user.user_id, queryId: query.id, time: timeKeyIndex(query) });
  const resolved = { ...query.query, ...resolveQuerySettings(user, query.query_config.merge), timeframe: ALL_TIME };
  return { table: toResultTable(fillEmptyGroups(rows, resolved), checked.columns), checked };
}
