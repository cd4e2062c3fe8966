import { type CheckedQuery, checkQuery } from "../../domain/aggregation/check-query.ts";
import { evaluateRows, type ResultTable } from "../../domain/aggregation/evaluate.ts";
import { explain } from "../../domain/aggregation/explain.ts";
import type { Explanation } from "../../domain/aggregation/explanation.ts";
import type { QueriedTable } from "../../domain/aggregation/expression-names.ts";
import { formatFloating } from "../../domain/aggregation/floating-time.ts";
import {
  looksAtRow,
  MOST_EXPLAINED_GROUPS,
  MOST_EXPLAINED_VALUES,
  MOST_VALUES,
  mostRows,
} from "../../domain/aggregation/query-work.ts";
import type { ResolvedQuery } from "../../domain/aggregation/resolved-query.ts";
import type { SourcePriorities } from "../../domain/aggregation/rows.ts";
import { selectRows } from "../../domain/aggregation/selection.ts";
import { daysToRead, isTooFine, spanOf } from "../../domain/aggregation/timeframe.ts";
import type { QueryBatch } from "../../domain/aggregation/wire-query.ts";
import { localTime } from "../../domain/local-day.ts";
import type { PriorityDataType, SourcePrioritiesRecord } from "../../domain/sources/source-priorities.ts";
import type { UserRecord } from "../../domain/user.ts";
import { queryUnits } from "../../domain/work.ts";
import type { ChunkStore } from "../../store/chunks.ts";
import type { SummaryStore } from "../../store/summaries.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { ValidationFailed } from "../errors.ts";
import { ports } from "../ports.ts";
import type { Work } from "../work-limit.ts";
import { readRows, TooManySamples } from "./reading-rows.ts";

/** Stores that queries read. */
export interface AnswerUses {
  readonly chunks: ChunkStore;
  readonly summaries: SummaryStore;
}

/** The user to query, with the source priorities of the team. */
export interface Asking {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  readonly priorities: SourcePrioritiesRecord;
  /** Instant of the data, epoch ms; by default the current state. */
  readonly asOfMs?: number | undefined;
  /** The budgets charged for the query. */
  readonly work?: Pick<Work, "note">;
}

/** The result of one query, with its column types. */
export interface Answered {
  readonly table: ResultTable;
  readonly checked: CheckedQuery;
  readonly explanation?: Explanation[];
}

/** A result with the number of values that the query read. */
interface Worked extends Answered {
  readonly looked: number;
}

/** Cost factor of an explained query. */
const EXPLAINED_TIMES = 20;

/** Executes a batch of queries in sequence. @throws ValidationFailed with all problems of all queries. */
export async function answerBatch(
  uses: AnswerUses,
  asking: Asking,
  { timeframe, queries, config }: QueryBatch,
  isExplained: boolean,
): Promise<Answered[]> {
  const span = spanOf(timeframe);
  const checked = soundBatch(queries, span);
  const answers: Answered[] = [];
  let left = isExplained ? MOST_EXPLAINED_VALUES : MOST_VALUES;
  for (const [index, query] of queries.entries()) {
    const resolved = { ...query, ...resolutionOf(asking.user, config?.merge, asking.asOfMs), timeframe: span };
    const overrides = config?.provider_priority_overrides ?? [];
    const most = mostRows(query, left);
    const one = await answer(
      uses,
      { ...asking, most },
      resolved,
      checked[index] as CheckedQuery,
      overrides,
      isExplained,
    );
    left -= one.looked;
    await asking.work?.note(queryUnits(one.looked * (isExplained ? EXPLAINED_TIMES : 1)));
    answers.push(one);
  }
  requireShort(answers);
  return answers;
}

/** Maximum cells in one response; a Lambda response holds 6 MB. */
const MOST_CELLS = 200_000;

/** @throws ValidationFailed if the results exceed one response. */
function requireShort(answers: readonly Answered[]): void {
  const cells = answers.flatMap(({ table }) => Object.values(table)).reduce((sum, column) => sum + column.length, 0);
  if (cells <= MOST_CELLS) return;
  throw ValidationFailed.at(["body", "timeframe"], "The results are too large for one response");
}

/** Settings that a query depends on besides its text. @param nowMs the current time of the query, epoch ms. */
export function resolutionOf(
  { fallback_time_zone }: UserRecord,
  merge: ResolvedQuery["merge"],
  nowMs = ports().clock.now(),
) {
  const now = localTime(fallback_time_zone.id)(nowMs, Number.NaN);
  return { time_zone: fallback_time_zone.id, merge, now: formatFloating(now) };
}

function soundBatch(queries: QueryBatch["queries"], span: ReturnType<typeof spanOf>): CheckedQuery[] {
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
  const fine = queries.findIndex((query) => isTooFine(query, span));
  if (fine >= 0)
    throw ValidationFailed.at(["body", "queries", fine, "align"], "Too many groups to fill in this timeframe");
  return checked as CheckedQuery[];
}

function tooMuch(isExplained: boolean): ValidationFailed {
  const narrower = "a shorter timeframe, fewer columns, or fewer queries per request";
  const what = isExplained ? "one request can explain" : "one request can read";
  return ValidationFailed.at(["body", "timeframe"], `This timeframe has more data than ${what}: use ${narrower}`);
}

/** Executes one checked query. @throws ValidationFailed if the query would read too many samples. */
async function answer(
  uses: AnswerUses,
  { scope, user, priorities, asOfMs, most }: Asking & { readonly most: number },
  query: ResolvedQuery,
  checked: CheckedQuery,
  overrides: readonly string[],
  isExplained: boolean,
): Promise<Worked> {
  const ranking = { overrides, providers: providersOf(checked.table, priorities) };
  const reading = {
    scope,
    userId: user.user_id,
    floatingOf: localTime(query.time_zone),
    priorities: ranking,
    asOfMs,
    most,
  };
  const set = await readRows(
    uses,
    reading,
    checked.table,
    daysToRead(checked.table, query.timeframe, query.merge),
  ).catch((error) => {
    if (!(error instanceof TooManySamples)) throw error;
    throw tooMuch(isExplained);
  });
  if (set.count > most) throw tooMuch(isExplained);
  const looked = set.count * looksAtRow(query);
  const table = evaluateRows(query, checked, set, ranking);
  if (!isExplained) return { table, checked, looked };
  const selection = selectRows(query, checked.table, set, ranking);
  if (selection.groups.length > MOST_EXPLAINED_GROUPS)
    throw ValidationFailed.at(["query", "explain"], `More than ${MOST_EXPLAINED_GROUPS} groups: use longer groups`);
  return { table, checked, looked, explanation: explain(query, set, selection, ranking) };
}

const dataTypes: Readonly<Record<string, PriorityDataType>> = {
  sleep: "sleep",
  derived_readiness: "sleep",
  activity: "activity",
  workout: "workouts",
  body: "body",
};

/** The provider priorities of a table. */
export function providersOf(table: QueriedTable, stored: SourcePrioritiesRecord): SourcePriorities["providers"] {
  const type = typeof table === "string" ? dataTypes[table] : "timeseries";
  return (type && stored[type]) ?? {};
}
