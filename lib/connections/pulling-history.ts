import type { PulledProvider, Window } from "../connectors/connector.ts";
import {
  AccessEnded,
  type ProviderError,
  ProviderRefused,
  ProviderUnavailable,
  RateLimited,
  UnreadableAnswer,
} from "../connectors/provider-error.ts";
import {
  afterFailure,
  afterLimit,
  afterPulled,
  afterRefused,
  ended,
  type HistoricalPull,
  nextWindow,
} from "../domain/linking/historical-pull.ts";
import { daysOf, type HistoryEnd, type HistoryRanges, joinRanges, rangesOf } from "../domain/linking/sync-part.ts";
import type { UserRecord } from "../domain/user.ts";
import type { Log } from "../runtime/log.ts";
import { isoNow, ports } from "../runtime/ports.ts";
import type { Queue } from "../runtime/queue.ts";
import { TeamBudget } from "../runtime/team-budget.ts";
import type { HistoricalPullStore } from "../store/linking/historical-pulls.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";
import { accessEnded, failConnection } from "./failing.ts";
import { droppedLogger, logFailedWindow, pulledBatches } from "./pulled-batches.ts";
import { clientOf, type RefreshingUses } from "./refreshing.ts";
import { type TakingUses, takeBatch } from "./taking-batch.ts";

export interface PullingUses extends RefreshingUses, TakingUses {
  readonly users: UserStore;
  readonly outbox: OutboxStore;
  readonly historicalPulls: HistoricalPullStore;
  readonly historyEnds: Queue;
  readonly historyPulls: Queue;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** Maximum duration of a run. Afterwards another run continues from the recorded progress. */
const LEASE_MS = 10 * 60_000;

/**
 * Pulls the next window of a due history, then queues the next run. Queues the pulled data before it records the window
 * as done, so that the repetition of a died run delivers the same data.
 */
export async function pullNext(
  uses: PullingUses,
  scope: TeamScope,
  pull: HistoricalPull,
  connector: PulledProvider,
  log: Log,
) {
  const user = await uses.users.get(scope, pull.user_id);
  const connection = user?.connections[pull.provider];
  const now = isoNow();
  const isOver = connection?.created_on !== pull.connected_on || connection.status !== "connected";
  if (!user || isOver)
    return void (await uses.historicalPulls.replace(scope, pull, ended(pull, now, "non_retriable_error")));
  const spentUntil = await new TeamBudget(uses, scope, log).spentUntil();
  if (spentUntil !== undefined)
    return void (await uses.historicalPulls.replace(scope, pull, {
      ...pull,
      due_at: new Date(spentUntil).toISOString(),
    }));
  const due_at = new Date(ports().clock.now() + LEASE_MS).toISOString();
  const claimed: HistoricalPull = { ...pull, status: "in_progress", started_at: pull.started_at ?? now, due_at };
  if (!(await uses.historicalPulls.replace(scope, pull, claimed))) return;
  const after = await advanced(uses, { scope, user, connector, log }, claimed);
  if (after.status === "success") await uses.historyEnds.send(endOf(after));
  const isKept = await uses.historicalPulls.replace(scope, claimed, after);
  if (isKept && after.status === "in_progress") await uses.historyPulls.send(nameOf(after));
}

/** The connection of a history pull. */
interface Run {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  readonly connector: PulledProvider;
  readonly log: Log;
}

/** Pulls the next window. @returns the state of the pull afterwards, also on failure. */
async function advanced(uses: PullingUses, run: Run, pull: HistoricalPull): Promise<HistoricalPull> {
  const { connector } = run;
  const resource = connector.resources.find(({ name }) => name === pull.resource);
  const window = resource && nextWindow(pull, resource.windowDays);
  if (!window) return ended(pull, isoNow(), resource ? null : "non_retriable_error");
  try {
    const pulled = await pullWindow(uses, run, pull, window);
    return afterPulled({ ...pull, ...pulled }, window.endMs, isoNow());
  } catch (error) {
    return afterError(uses, run, pull, window, error);
  }
}

async function pullWindow(
  uses: PullingUses,
  { scope, user, connector, log }: Run,
  { resource, ...pull }: HistoricalPull,
  window: Window,
) {
  const { slug: provider } = connector;
  const client = clientOf(uses, scope, user, connector, droppedLogger(log, { provider, resource }));
  const found: HistoryRanges[] = [pull.ranges];
  const days = new Set(pull.days);
  let received_at = pull.received_at;
  for await (const batch of pulledBatches(connector, resource, { window }, client)) {
    received_at = ports().clock.now();
    const about = { user, provider, stage: "historical", receivedAt: received_at, log } as const;
    const taken = await takeBatch(uses, scope, about, batch);
    found.push(rangesOf(taken));
    for (const day of daysOf(taken)) days.add(day);
  }
  return { ranges: joinRanges(found), days: [...days], received_at };
}

async function afterError(
  uses: PullingUses,
  { scope, log }: Run,
  pull: HistoricalPull,
  window: Window,
  error: unknown,
) {
  const { user_id: userId, provider, connected_on: connectedOn, resource } = pull;
  if (error instanceof RateLimited) return afterLimit(pull, error.retryAtMs);
  const isForGood = error instanceof ProviderRefused || error instanceof UnreadableAnswer;
  if (isForGood || error instanceof ProviderUnavailable)
    logFailedWindow(log, error as ProviderError, { provider, resource });
  if (isForGood) return afterRefused(pull, window.endMs, isoNow());
  if (error instanceof ProviderUnavailable) return afterFailure(pull, window.endMs, ports().clock.now());
  if (!(error instanceof AccessEnded)) throw error;
  await failConnection(uses, scope, { userId, provider, connectedOn }, accessEnded);
  return ended(pull, isoNow(), "non_retriable_error");
}

const nameOf = ({ team_id, user_id, provider, resource }: HistoricalPull) => ({ team_id, user_id, provider, resource });

function endOf({ ranges, received_at, scheduled_at, ...pull }: HistoricalPull): HistoryEnd {
  const { team_id, user_id, provider, resource } = pull;
  const history_id = `pull#${provider}#${resource}#${scheduled_at}`;
  return { team_id, user_id, provider, source_type: "unknown", history_id, received_at, ranges };
}
