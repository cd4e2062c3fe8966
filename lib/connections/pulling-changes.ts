import type { PulledProvider } from "../connectors/connector.ts";
import { AccessEnded, ProviderRefused, RateLimited, UnreadableAnswer } from "../connectors/provider-error.ts";
import type { ChangedData } from "../domain/linking/changed-data.ts";
import type { Log } from "../runtime/log.ts";
import { ports } from "../runtime/ports.ts";
import type { Queue } from "../runtime/queue.ts";
import { TeamBudget } from "../runtime/team-budget.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";
import { accessEnded, failConnection } from "./failing.ts";
import { droppedLogger, logFailedWindow, pulledBatches } from "./pulled-batches.ts";
import { clientOf, type RefreshingUses } from "./refreshing.ts";
import { type TakingUses, takeBatch } from "./taking-batch.ts";

export interface ChangingUses extends RefreshingUses, TakingUses {
  readonly users: UserStore;
  readonly outbox: OutboxStore;
  readonly changedPulls: Queue;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** Maximum delay of an SQS message. */
const LONGEST_DELAY_S = 900;

/**
 * Pulls data that a provider reported as changed, unless the connection ended meanwhile. Postpones the pull while the
 * provider limits the rate or the team's budget is exhausted.
 * @throws ProviderUnavailable: the same message may succeed later.
 */
export async function pullChange(
  uses: ChangingUses,
  scope: TeamScope,
  change: ChangedData,
  connector: PulledProvider,
  log: Log,
) {
  const { user_id: userId, provider, connected_on: connectedOn, resource } = change;
  const user = await uses.users.get(scope, userId);
  const connection = user?.connections[provider];
  if (!user || connection?.created_on !== connectedOn || connection.status !== "connected") return;
  const spentUntil = await new TeamBudget(uses, scope, log).spentUntil();
  if (spentUntil !== undefined) return later(uses, change, spentUntil);
  try {
    const client = clientOf(uses, scope, user, connector, droppedLogger(log, { provider, resource }));
    for await (const batch of pulledBatches(connector, resource, change.what, client)) {
      await takeBatch(uses, scope, { user, provider, stage: "daily", receivedAt: ports().clock.now(), log }, batch);
    }
  } catch (error) {
    if (error instanceof RateLimited) await later(uses, change, error.retryAtMs);
    else if (error instanceof AccessEnded) {
      await failConnection(uses, scope, { userId, provider, connectedOn }, accessEnded);
    } else if (error instanceof ProviderRefused || error instanceof UnreadableAnswer) {
      logFailedWindow(log, error, { provider, resource });
    } else throw error;
  }
}

async function later({ changedPulls }: ChangingUses, change: ChangedData, atMs: number): Promise<void> {
  const delayS = Math.ceil((atMs - ports().clock.now()) / 1000);
  await changedPulls.send(change, { delayS: Math.min(delayS, LONGEST_DELAY_S) });
}
