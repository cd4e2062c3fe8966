import type { ResultRow } from "../../domain/aggregation/aligning.ts";
import { type CheckedQuery, checkQuery } from "../../domain/aggregation/check-query.ts";
import { alignedRows, evaluateGroups, keyColumns, tableOfRows } from "../../domain/aggregation/evaluate.ts";
import { looksAtRow } from "../../domain/aggregation/query-work.ts";
import type { ResolvedQuery } from "../../domain/aggregation/resolved-query.ts";
import { daysToRead, type FloatingSpan } from "../../domain/aggregation/timeframe.ts";
import { touchedSpans } from "../../domain/continuous-queries/changed-days.ts";
import type { ContinuousQuery } from "../../domain/continuous-queries/continuous-query.ts";
import type { QueryTask } from "../../domain/continuous-queries/query-task.ts";
import { changesOf, emptied, type ResultChanges } from "../../domain/continuous-queries/result-changes.ts";
import { localTime } from "../../domain/local-day.ts";
import type { UserRecord } from "../../domain/user.ts";
import { resultUnits } from "../../domain/work.ts";
import { compose, type NewEvent } from "../../events/compose-event.ts";
import type { ContinuousQueryStore } from "../../store/continuous-queries.ts";
import type { OutboxStore } from "../../store/outbox.ts";
import type { QueryResultStore, ResultOf } from "../../store/query-results.ts";
import type { QueryTaskStore } from "../../store/query-tasks.ts";
import type { SourcePriorityStore } from "../../store/source-priorities.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UserStore } from "../../store/users.ts";
import { type AnswerUses, providersOf, resolutionOf } from "../aggregation/answering.ts";
import { type Reading, readRows } from "../aggregation/reading-rows.ts";
import { PermanentError } from "../errors.ts";
import { isoNow } from "../ports.ts";
import type { TeamBudget } from "../team-budget.ts";

/** Dependencies of computing results. */
export interface ComputingUses extends AnswerUses {
  readonly users: UserStore;
  readonly continuousQueries: ContinuousQueryStore;
  readonly queryTasks: QueryTaskStore;
  readonly queryResults: QueryResultStore;
  readonly sourcePriorities: SourcePriorityStore;
  readonly outbox: OutboxStore;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
  /** The budget charged for the computation. */
  readonly budget: Pick<TeamBudget, "spentUntil" | "note">;
}

/** Rows per transaction, besides their event. */
const ROWS_AT_ONCE = 50;
const ALL_TIME: FloatingSpan = { from: "1900-01-01T00:00:00", to: "2999-12-31T00:00:00" };

/** One query for one user, with all inputs of its evaluation. */
interface Computation {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  readonly query: ContinuousQuery;
  readonly resolved: Omit<ResolvedQuery, "timeframe">;
  readonly checked: CheckedQuery;
  readonly reading: Reading;
  readonly of: ResultOf;
}

/**
 * Computes the groups that changed days affect; the first run computes all groups. One transaction writes rows and the
 * event of their change, so a repeated run finds no change and records no event twice.
 */
export async function computeDays(
  uses: ComputingUses,
  scope: TeamScope,
  user: UserRecord,
  query: ContinuousQuery,
  task: QueryTask,
): Promise<void> {
  const computation = await prepare(uses, scope, user, query);
  const spans = task.has_begun ? touchedSpans(query, task.running_days ?? []) : [ALL_TIME];
  for (const [place, span] of spans.entries()) {
    const before = await uses.queryResults.list(scope, computation.of, span);
    const { after, looked } = await computeSpan(uses, computation, span);
    const changes = changesOf(before, after);
    await uses.budget.note(resultUnits(looked, changes.set.length + changes.gone.length));
    await write(uses, computation, changes, `${task.run_id}#${place}`);
  }
}

async function prepare(
  uses: ComputingUses,
  scope: TeamScope,
  user: UserRecord,
  query: ContinuousQuery,
): Promise<Computation> {
  const checked = checkQuery(query.query);
  if (!("columns" in checked)) throw new PermanentError("a stored query is invalid");
  const { merge, provider_priority_overrides } = query.query_config;
  const resolved = { ...query.query, ...resolutionOf(user, merge) };
  const { priorities } = await uses.sourcePriorities.get(scope);
  const ranking = { overrides: provider_priority_overrides ?? [], providers: providersOf(checked.table, priorities) };
  const floatingOf = localTime(resolved.time_zone);
  const reading = { scope, userId: user.user_id, floatingOf, priorities: ranking };
  const of = { userId: user.user_id, queryId: query.id, time: timeKeyOf(query) };
  return { scope, user, query, resolved, checked, reading, of };
}

/** The index of `date_trunc` among the group keys of a continuous query. */
export const timeKeyOf = ({ query }: Pick<ContinuousQuery, "query">) =>
  (query.group_by ?? []).findIndex((item) => "date_trunc" in item);

/** Computes the current groups of a span, without filled empty groups, and counts the values read. */
async function computeSpan(
  uses: AnswerUses,
  { resolved, checked, reading }: Computation,
  timeframe: FloatingSpan,
): Promise<{ after: ResultRow[]; looked: number }> {
  const set = await readRows(uses, reading, checked.table, daysToRead(checked.table, timeframe, resolved.merge));
  const after = evaluateGroups({ ...resolved, timeframe }, checked.table, set, reading.priorities);
  return { after, looked: set.count * looksAtRow(resolved) };
}

async function write(
  uses: ComputingUses,
  computation: Computation,
  changes: ResultChanges,
  name: string,
): Promise<void> {
  const { scope, of, query } = computation;
  const items = [
    ...changes.set.map((row) => uses.queryResults.setItem(scope, of, row)),
    ...changes.gone.map((row) => uses.queryResults.removeItem(scope, of, row)),
  ];
  const shown = query.export_preferences.data_events.enabled ? await shownRows(uses, computation, changes) : [];
  for (let first = 0; first < Math.max(items.length, shown.length); first += ROWS_AT_ONCE) {
    const rows = shown.slice(first, first + ROWS_AT_ONCE);
    const told = rows.length === 0 ? [] : [changedEvent(computation, rows, `${name}#${first}`)];
    const events = told.map((event) => uses.outbox.addItem(event, isoNow()));
    // The erasure of a user must not race with new rows.
    const isActive = uses.users.requireActiveItem(scope, of.userId);
    await uses.commit([isActive, ...items.slice(first, first + ROWS_AT_ONCE), ...events]);
  }
}

/** Changed rows as readers see them. In a result with filled empty groups, a change can also alter filled rows. */
async function shownRows(
  uses: ComputingUses,
  { scope, of, resolved }: Computation,
  { set, gone }: ResultChanges,
): Promise<ResultRow[]> {
  const keyAt = keyColumns(resolved);
  if (!resolved.align) return [...set, ...gone.map((row) => emptied(row, keyAt))];
  const before = await uses.queryResults.list(scope, of);
  const names = new Set([...set, ...gone].map(({ keys }) => JSON.stringify(keys)));
  const after = [...before.filter(({ keys }) => !names.has(JSON.stringify(keys))), ...set];
  const query = { ...resolved, timeframe: ALL_TIME };
  const changes = changesOf(alignedRows(before, query), alignedRows(after, query));
  return [...changes.set, ...changes.gone.map((row) => emptied(row, keyAt))];
}

function changedEvent({ query, user, checked }: Computation, rows: readonly ResultRow[], name: string): NewEvent {
  const changes = { query_id: query.id, query_slug: query.slug, data: tableOfRows(rows, checked.columns) };
  const key = `${query.id}#${user.user_id}#${name}`;
  const orderKey = `${query.id}#${user.user_id}`;
  return compose(user, "continuous_query.result_table.changed", key, 1, [changes], orderKey);
}

/** Reads the stored result of a continuous query for a user, with filled empty groups. */
export async function resultTable(
  queryResults: QueryResultStore,
  scope: TeamScope,
  user: UserRecord,
  query: ContinuousQuery,
) {
  const checked = checkQuery(query.query);
  if (!("columns" in checked)) throw new Error("a stored query is invalid");
  const rows = await queryResults.list(scope, { userId: user.user_id, queryId: query.id, time: timeKeyOf(query) });
  const resolved = { ...query.query, ...resolutionOf(user, query.query_config.merge), timeframe: ALL_TIME };
  return { table: tableOfRows(alignedRows(rows, resolved), checked.columns), checked };
}
