import { changedDays, dependsOn, tableOfQuery } from "../../domain/continuous-queries/changed-days.ts";
import type { ContinuousQuery } from "../../domain/continuous-queries/continuous-query.ts";
import { type QueryTask, type QueryTaskMessage, SETTLING_MS } from "../../domain/continuous-queries/query-task.ts";
import { localTime } from "../../domain/local-day.ts";
import { type EventReference, eventBody } from "../../events/envelope.ts";
import type { ContinuousQueryStore } from "../../store/continuous-queries.ts";
import type { OutboxStore } from "../../store/outbox.ts";
import type { QueryTaskStore } from "../../store/query-tasks.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users.ts";
import type { Log } from "../log.ts";
import { ports } from "../ports.ts";
import type { Queue } from "../queue.ts";

interface MarkingUses {
  readonly users: UserStore;
  readonly outbox: Pick<OutboxStore, "body">;
  readonly continuousQueries: ContinuousQueryStore;
  readonly queryTasks: QueryTaskStore;
  readonly queryRuns: Pick<Queue, "send">;
}

/** Maximum delay of an SQS message. The sweeper starts tasks that are due later. */
const LONGEST_DELAY_MS = 900_000;
const PAGE = 100;

/** Adds the days that a data event changed to the task of every affected continuous query of the team. */
export async function markChangedDays(
  scope: TeamScope,
  event: EventReference,
  uses: MarkingUses,
  log: Log,
): Promise<void> {
  const resource = event.type.split(".")[2] ?? "";
  const queries = (await activeQueries(uses.continuousQueries, scope)).flatMap((query) => {
    const table = tableOfQuery(query);
    return table && dependsOn(table, resource) ? [{ query, table }] : [];
  });
  if (queries.length === 0) return;
  const [user, body] = await Promise.all([uses.users.get(scope, event.user_id), uses.outbox.body(event)]);
  if (!user || body === undefined) return;
  const { data } = eventBody.parse(JSON.parse(body));
  if (Array.isArray(data)) return;
  const floatingOf = localTime(user.fallback_time_zone.id);
  for (const { query, table } of queries) {
    const days = changedDays({ type: event.type, data }, table, floatingOf);
    if (days.length === 0) continue;
    const task = await uses.queryTasks.note(messageOf(event, query), days, isoAt(0), isoAt(SETTLING_MS));
    await startTask(uses.queryRuns, task, log);
  }
}

async function activeQueries(store: ContinuousQueryStore, scope: TeamScope): Promise<ContinuousQuery[]> {
  const found: ContinuousQuery[] = [];
  for (let after: string | undefined; ; ) {
    const { items, lastKey } = await store.list(scope, after, PAGE);
    found.push(...items.filter(({ status }) => status === "active"));
    after = items.at(-1)?.slug;
    if (!lastKey) return found;
  }
}

const isoAt = (inMs: number) => new Date(ports().clock.now() + inMs).toISOString();

const messageOf = ({ team_id, user_id }: EventReference, query: ContinuousQuery) => ({
  team_id,
  user_id,
  query_id: query.id,
  query_slug: query.slug,
});

/** Schedules a query task. Best effort: the sweeper starts any task whose message is lost. */
export async function startTask(queue: Pick<Queue, "send">, task: QueryTask, log: Log): Promise<void> {
  const { team_id, user_id, query_id, due_at } = task;
  if (due_at === undefined) return;
  const delayMs = Math.max(0, Date.parse(due_at) - ports().clock.now());
  if (delayMs > LONGEST_DELAY_MS) return;
  const message: QueryTaskMessage = { team_id, user_id, query_id };
  await queue
    .send(message, { delayS: Math.ceil(delayMs / 1000) })
    .catch((error) => log.error("a continuous query waits for the sweeper", error));
}
