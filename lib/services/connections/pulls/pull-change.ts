import type { PulledProvider } from "../../../connectors/connector.ts";
import { AccessEnded, ProviderRefused, RateLimited, UnreadableAnswer } from "../../../connectors/provider-error.ts";
import { getSecretValue, grants, sendMessage } from "../../../contract/access.ts";
import { changedPulls } from "../../../contract/queues.ts";
import { providerApps } from "../../../contract/resources.ts";
import type { ChangedData } from "../../../domain/connections/pulls/changed-data.ts";
import { MAX_QUEUE_DELAY_S } from "../../../domain/shared/durations.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { Log } from "../../../runtime/log.ts";
import { ports } from "../../../runtime/ports.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { TeamBudget, teamBudgetAccess } from "../../usage/team-budget.ts";
import { accessEndedFailure, failConnection, failConnectionAccess } from "../fail-connection.ts";
import { createProviderClient, providerClientAccess, type RefreshAccessDependencies } from "../oauth/refresh-access.ts";
import { type KeepPayloadsDependencies, keepPayloadsAccess, PayloadKeeper } from "../raw-payloads/payload-keeper.ts";
import {
  type AcceptPulledBatchDependencies,
  acceptPulledBatch,
  acceptPulledBatchAccess,
} from "./accept-pulled-batch.ts";
import { logFailedWindow, observeResponses, pullBatches } from "./pull-batches.ts";

export type PullChangeDependencies = RefreshAccessDependencies &
  AcceptPulledBatchDependencies &
  KeepPayloadsDependencies &
  Dependencies<"users" | "outbox" | "changedPulls" | "commit">;

/** Grants of {@link pullChange}. */
export const pullChangeAccess = grants(
  teamBudgetAccess,
  failConnectionAccess,
  providerClientAccess,
  acceptPulledBatchAccess,
  keepPayloadsAccess,
  [sendMessage(changedPulls), getSecretValue(providerApps)],
);

/**
 * Pulls data that a provider reported as changed, unless the connection ended meanwhile. Postpones the pull while the
 * provider limits the rate or the team's budget is exhausted.
 * @throws ProviderUnavailable: the same message may succeed later.
 */
export async function pullChange(
  deps: PullChangeDependencies,
  scope: TeamScope,
  change: ChangedData,
  connector: PulledProvider,
  log: Log,
) {
  const { user_id: userId, provider, connected_on: connectedOn, resource } = change;
  const user = await deps.users.get(scope, userId);
  const connection = user?.connections[provider];
  if (!user || connection?.created_on !== connectedOn || connection.status !== "connected") return;
  const budget = new TeamBudget(deps, scope, log);
  const spentUntil = await budget.reserveRun();
  if (spentUntil !== undefined) return postponeChange(deps, change, spentUntil);
  try {
    const observers = observeResponses(log, { provider, resource });
    const keeper = PayloadKeeper.of(deps, await budget.team(), { scope, user, connector, log });
    const client = createProviderClient(deps, scope, user, connector, observers, keeper);
    for await (const batch of pullBatches(connector, resource, change.what, client, keeper)) {
      await acceptPulledBatch(
        deps,
        scope,
        { user, provider, stage: "daily", pushed: true, receivedAt: ports().clock.now(), log, budget, keeper },
        batch,
      );
    }
  } catch (error) {
    if (error instanceof RateLimited) await postponeChange(deps, change, error.retryAtMs);
    else if (error instanceof AccessEnded) {
      await failConnection(deps, scope, { userId, provider, connectedOn }, accessEndedFailure);
    } else if (error instanceof ProviderRefused || error instanceof UnreadableAnswer) {
      logFailedWindow(log, error, { provider, resource });
    } else throw error;
  }
}

async function postponeChange(
  { changedPulls }: PullChangeDependencies,
  change: ChangedData,
  atMs: number,
): Promise<void> {
  const delayS = Math.ceil((atMs - ports().clock.now()) / 1000);
  await changedPulls.send(change, { delayS: Math.min(delayS, MAX_QUEUE_DELAY_S) });
}
