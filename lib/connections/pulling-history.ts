import type { PulledProvider, Window } from "../connectors/connector.ts";
import { AccessEnded, ProviderRefused, ProviderUnavailable, RateLimited } from "../connectors/provider-error.ts";
import { afterFailure, afterLimit, ended, type HistoricalPull, nextWindow } from "../domain/linking/historical-pull.ts";
import { daysOf, type HistoryEnd, type HistoryRanges, joinRanges, rangesOf } from "../domain/linking/sync-part.ts";
import type { UserRecord } from "../domain/user.ts";
import { isoNow, ports } from "../runtime/ports.ts";
import type { Queue } from "../runtime/queue.ts";
import type { HistoricalPullStore } from "../store/linking/historical-pulls.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";
import { accessEnded, failConnection } from "./failing.ts";
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

/** One run takes no longer than this; another one goes on with what is noted by then. */
const LEASE_MS = 10 * 60_000;

/**
 * Pulls the next window of a history that is due, and has the next run called. What is pulled is on its way to the store
 * before the window is noted as done: a run that died is made again, and brings the same.
 */
export async function pullNext(uses: PullingUses, scope: TeamScope, pull: HistoricalPull, connector: PulledProvider) {
  const user = await uses.users.get(scope, pull.user_id);
  const connection = user?.connections[pull.provider];
  const now = isoNow();
  const isOver = connection?.created_on !== pull.connected_on || connection.status !== "connected";
  if (!user || isOver)
    return void (await uses.historicalPulls.replace(scope, pull, ended(pull, now, "non_retriable_error")));
  const due_at = new Date(ports().clock.now() + LEASE_MS).toISOString();
  const claimed: HistoricalPull = { ...pull, status: "in_progress", started_at: pull.started_at ?? now, due_at };
  if (!(await uses.historicalPulls.replace(scope, pull, claimed))) return;
  const after = await advanced(uses, scope, user, claimed, connector);
  if (after.status === "success") await uses.historyEnds.send(endOf(after), { groupId: scope.teamId });
  const isKept = await uses.historicalPulls.replace(scope, claimed, after);
  if (isKept && after.status === "in_progress") await uses.historyPulls.send(nameOf(after), { groupId: scope.teamId });
}

/** The pull after its next window, whatever came of it. */
async function advanced(
  uses: PullingUses,
  scope: TeamScope,
  user: UserRecord,
  pull: HistoricalPull,
  connector: PulledProvider,
): Promise<HistoricalPull> {
  const resource = connector.resources.find(({ name }) => name === pull.resource);
  const window = resource && nextWindow(pull, resource.windowDays);
  if (!window) return ended(pull, isoNow(), resource ? null : "non_retriable_error");
  try {
    const pulled = await pullWindow(uses, scope, user, pull, connector, window);
    const pulled_until = new Date(window.endMs).toISOString();
    const next = { ...pull, ...pulled, pulled_until, attempts: 0, error_details: null, due_at: isoNow() };
    return nextWindow(next, 1) ? next : ended(next, isoNow(), null);
  } catch (error) {
    return afterError(uses, scope, pull, error);
  }
}

async function pullWindow(
  uses: PullingUses,
  scope: TeamScope,
  user: UserRecord,
  pull: HistoricalPull,
  connector: PulledProvider,
  window: Window,
) {
  const client = clientOf(uses, scope, user, connector);
  const found: HistoryRanges[] = [pull.ranges];
  const days = new Set(pull.days);
  let received_at = pull.received_at;
  for await (const batch of connector.pull(pull.resource, window, client)) {
    received_at = ports().clock.now();
    const about = { user, provider: connector.slug, stage: "historical", receivedAt: received_at } as const;
    const taken = await takeBatch(uses, scope, about, batch);
    found.push(rangesOf(taken));
    for (const day of daysOf(taken)) days.add(day);
  }
  return { ranges: joinRanges(found), days: [...days], received_at };
}

async function afterError(uses: PullingUses, scope: TeamScope, pull: HistoricalPull, error: unknown) {
  if (error instanceof RateLimited) return afterLimit(pull, error.retryAtMs);
  if (error instanceof ProviderUnavailable) return afterFailure(pull, ports().clock.now());
  if (error instanceof ProviderRefused) return ended(pull, isoNow(), "non_retriable_error");
  if (!(error instanceof AccessEnded)) throw error;
  const { user_id: userId, provider, connected_on: connectedOn } = pull;
  await failConnection(uses, scope, { userId, provider, connectedOn }, accessEnded);
  return ended(pull, isoNow(), "non_retriable_error");
}

const nameOf = ({ team_id, user_id, provider, resource }: HistoricalPull) => ({ team_id, user_id, provider, resource });

function endOf({ ranges, received_at, scheduled_at, ...pull }: HistoricalPull): HistoryEnd {
  const { team_id, user_id, provider, resource } = pull;
  const history_id = `pull#${provider}#${resource}#${scheduled_at}`;
  return { team_id, user_id, provider, source_type: "unknown", history_id, received_at, ranges };
}
