import { howToStore } from "../../../domain/erasure/may-store.ts";
import { changedDays, dependsOnResource, queriedTable } from "../../../domain/queries/continuous/changed-days.ts";
import type { ContinuousQuery } from "../../../domain/queries/continuous/continuous-query.ts";
import {
  QUERY_DEBOUNCE_MS,
  type QueryTask,
  type QueryTaskMessage,
} from "../../../domain/queries/continuous/query-task.ts";
import type { QueriedTable } from "../../../domain/queries/expressions/expression-names.ts";
import { MAX_QUEUE_DELAY_MS } from "../../../domain/shared/durations.ts";
import { floatingTimeConverter } from "../../../domain/shared/local-day.ts";
import { type EventReference, eventBody } from "../../../events/catalogue/envelope.ts";
import type { ChangedDaysMessage } from "../../../events/queries/changed-days-message.ts";
import type { Queue } from "../../../runtime/aws/queue.ts";
import { consumeEach, type MessageFailure, oncePerTeam } from "../../../runtime/consume-each.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { Log } from "../../../runtime/log.ts";
import { ports } from "../../../runtime/ports.ts";
import type { Span } from "../../../runtime/span.ts";
import type { OutboxStore } from "../../../store/events/outbox.ts";
import type { ContinuousQueryStore } from "../../../store/queries/continuous-queries.ts";
import type { TeamScope } from "../../../store/team-scope.ts";

type MarkChangedDaysDependencies = Dependencies<"users" | "continuousQueries" | "queryTasks"> & {
  readonly outbox: Pick<OutboxStore, "getBody">;
  readonly queryRuns: Pick<Queue, "send">;
};

const PAGE_SIZE = 100;

/** A message about changed data. */
interface ChangeMessage {
  readonly message: ChangedDaysMessage;
  readonly log: Log;
  readonly span?: Span;
}

/**
 * Adds the days that data events and deletions changed to the task of every affected continuous query of their teams. Reads the
 * queries of a team once for all messages. @returns the messages that failed.
 */
export function markChangedDays<M extends ChangeMessage>(
  messages: readonly M[],
  grant: (teamId: string) => TeamScope,
  deps: MarkChangedDaysDependencies,
): Promise<MessageFailure<M>[]> {
  const queriesOf = oncePerTeam((scope) => activeQueries(deps.continuousQueries, scope));
  return consumeEach(messages, async ({ message, log }) => {
    const scope = grant(message.team_id);
    await markDaysOfEvent(scope, message, { active: await queriesOf(scope), log }, deps);
  });
}

async function markDaysOfEvent(
  scope: TeamScope,
  event: ChangedDaysMessage,
  { active, log }: { readonly active: readonly ContinuousQuery[]; readonly log: Log },
  deps: MarkChangedDaysDependencies,
): Promise<void> {
  const resource = event.type.split(".")[2] ?? "";
  const queries = active.flatMap((query) => {
    const table = queriedTable(query);
    return table && dependsOnResource(table, resource) ? [{ query, table }] : [];
  });
  if (queries.length === 0) return;
  const daysOf = await readDays(scope, event, deps);
  for (const { query, table } of queries) {
    const days = daysOf(table);
    if (days.length === 0) continue;
    const task = await deps.queryTasks.recordChangedDays(
      toTaskMessage(event, query),
      days,
      isoAt(0),
      isoAt(QUERY_DEBOUNCE_MS),
    );
    await scheduleQueryTask(deps.queryRuns, task, log);
  }
}

/**
 * Returns which days of a table an event or a deletion changed. The days of a deleted user wait for an undo, until
 * which their tasks do not run. None once the user's erasure may begin, because nothing may be written any more.
 */
async function readDays(
  scope: TeamScope,
  event: ChangedDaysMessage,
  { users, outbox }: MarkChangedDaysDependencies,
): Promise<(table: QueriedTable) => readonly number[]> {
  const { days } = event;
  const reading = days === undefined ? outbox.getBody(event) : undefined;
  const [user, body] = await Promise.all([users.getAnyState(scope, event.user_id), reading]);
  if (!user || howToStore(user, ports().clock.now()) !== "store") return () => [];
  if (days !== undefined) return () => days;
  const data = body === undefined ? [] : eventBody.parse(JSON.parse(body)).data;
  if (Array.isArray(data)) return () => [];
  const floatingOf = floatingTimeConverter(user.fallback_time_zone.id);
  return (table) => changedDays({ type: event.type, data }, table, floatingOf);
}

async function activeQueries(store: ContinuousQueryStore, scope: TeamScope): Promise<ContinuousQuery[]> {
  const found: ContinuousQuery[] = [];
  for (let after: string | undefined; ; ) {
    const { items, lastKey } = await store.list(scope, after, PAGE_SIZE);
    found.push(...items.filter(({ status }) => status === "active"));
    after = items.at(-1)?.slug;
    if (!lastKey) return found;
  }
}

const isoAt = (inMs: number) => new Date(ports().clock.now() + inMs).toISOString();

const toTaskMessage = ({ team_id, user_id }: EventReference, query: ContinuousQuery) => ({
  team_id,
  user_id,
  query_id: query.id,
  query_slug: query.slug,
});

/** Schedules a query task. Best effort: the sweeper starts any task whose message is lost. */
export async function scheduleQueryTask(queue: Pick<Queue, "send">, task: QueryTask, log: Log): Promise<void> {
  const { team_id, user_id, query_id, due_at } = task;
  if (due_at === undefined) return;
  const delayMs = Math.max(0, Date.parse(due_at) - ports().clock.now());
  if (delayMs > MAX_QUEUE_DELAY_MS) return;
  const message: QueryTaskMessage = { team_id, user_id, query_id };
  await queue
    .send(message, { delayS: Math.ceil(delayMs / 1000) })
    .catch((error) => log.error("a continuous query waits for the sweeper", error));
}
