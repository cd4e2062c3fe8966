import type { PulledProvider } from "../../../connectors/connector.ts";
import { AccessEnded, RateLimited } from "../../../connectors/provider-error.ts";
import { getItem, getSecretValue, grants, putItem } from "../../../contract/access.ts";
import { connectionPolls, providerApps } from "../../../contract/resources.ts";
import {
  addComparison,
  applyPollRun,
  type ConnectionPoll,
  claimPoll,
  type PollRunResult,
  postponePoll,
  unschedulePoll,
} from "../../../domain/connections/pulls/connection-poll.ts";
import { mergeRanges } from "../../../domain/connections/pulls/history-ranges.ts";
import { isPastBounds, pullBounds } from "../../../domain/connections/pulls/pull-bounds.ts";
import { businessMetrics } from "../../../domain/operations/metrics.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { Log } from "../../../runtime/log.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { TeamBudget, teamBudgetAccess } from "../../usage/team-budget.ts";
import { accessEndedFailure, failConnection, failConnectionAccess } from "../fail-connection.ts";
import { judgePushes, judgePushesAccess } from "../health/judge-pushes.ts";
import type { MarkStaleDependencies } from "../health/mark-stale.ts";
import { createProviderClient, providerClientAccess, type RefreshAccessDependencies } from "../oauth/refresh-access.ts";
import { type PauseConnectionDependencies, pauseConnection } from "../pause-connection.ts";
import { type KeepPayloadsDependencies, keepPayloadsAccess, PayloadKeeper } from "../raw-payloads/payload-keeper.ts";
import { type AcceptPulledBatchDependencies, acceptPulledBatchAccess } from "./accept-pulled-batch.ts";
import { grantedResources } from "./plan-history-pulls.ts";
import { pollIntervalMs } from "./poll-interval.ts";
import { observeResponses } from "./pull-batches.ts";
import { isPermanent, type PullRun, pullResource } from "./pull-resource.ts";

export type PullRecentDataDependencies = RefreshAccessDependencies &
  PauseConnectionDependencies &
  AcceptPulledBatchDependencies &
  KeepPayloadsDependencies &
  MarkStaleDependencies &
  Dependencies<"connectionPolls">;

/** Grants of {@link pullRecentData}. */
export const pullRecentDataAccess = grants(
  teamBudgetAccess,
  failConnectionAccess,
  [getItem(connectionPolls), putItem(connectionPolls)],
  providerClientAccess,
  acceptPulledBatchAccess,
  keepPayloadsAccess,
  judgePushesAccess,
  getSecretValue(providerApps),
);

/** Maximum duration of a run. Afterwards another run may take over. */
const LEASE_MS = 10 * 60_000;

/** Pulls the new data of all granted resources of a due connection, under a lease. */
export async function pullRecentData(
  deps: PullRecentDataDependencies,
  scope: TeamScope,
  poll: ConnectionPoll,
  connector: PulledProvider,
  log: Log,
) {
  const { connectionPolls } = deps;
  const user = await deps.users.get(scope, poll.user_id);
  const connection = user?.connections[poll.provider];
  const isOver = connection?.created_on !== poll.connected_on || connection.status !== "connected";
  const credentials = isOver ? undefined : await deps.connectionCredentials.get(scope, poll.user_id, poll.provider);
  const nowMs = ports().clock.now();
  if (!user || !credentials || isPastBounds(user, nowMs)) {
    if (user && credentials) await pauseConnection(deps, scope, user, poll.provider);
    const isBroken = connection?.status === "error" && connection.created_on === poll.connected_on;
    const ended = unschedulePoll(isBroken ? { ...poll, status: "failure" } : poll);
    return void (await connectionPolls.replace(scope, poll, ended));
  }
  const budget = new TeamBudget(deps, scope, log);
  const spentUntil = await budget.reserveRun();
  if (spentUntil !== undefined) {
    return void (await connectionPolls.replace(scope, poll, postponePoll(poll, new Date(spentUntil).toISOString())));
  }
  const mine = await connectionPolls.replace(scope, poll, claimPoll(poll, new Date(nowMs + LEASE_MS).toISOString()));
  if (!mine) return;
  const keeper = PayloadKeeper.of(deps, await budget.team(), { scope, user, connector, log });
  const { scopes } = credentials;
  await runPoll(deps, { scope, user, connector, poll: mine, scopes, log, budget, keeper, found: [] });
}

/** Pulls what a claimed connection has, and schedules its next run. */
async function runPoll(deps: PullRecentDataDependencies, run: PullRun): Promise<void> {
  const { scope, user, connector, poll, log } = run;
  const { connectionPolls } = deps;
  const outcome = await pullResources(deps, run);
  const result = outcome === "ended" ? outcome : outcome.isWhole ? "whole" : "partial";
  log.metric(businessMetrics.pulls, 1, [{ provider: connector.slug, outcome: result }]);
  if (outcome === "ended") {
    await connectionPolls.replace(scope, poll, unschedulePoll({ ...poll, status: "failure" }));
    return;
  }
  const isDemo = user.connections[poll.provider]?.demo;
  const after = applyPollRun(poll, outcome, ports().clock.now(), pollIntervalMs(connector, isDemo));
  const compared = await judgePushes(deps, { scope, user, poll, found: mergeRanges(run.found), log });
  await connectionPolls.replace(scope, poll, addComparison(after, compared));
}

/** Pulls all resources. @returns the result of the run; "ended" if access has ended. */
async function pullResources(deps: PullRecentDataDependencies, run: PullRun): Promise<PollRunResult | "ended"> {
  const { scope, user, connector, poll, log } = run;
  const client = createProviderClient(
    deps,
    scope,
    user,
    connector,
    observeResponses(log, { provider: connector.slug }),
    run.keeper,
  );
  const endMs = Math.min(ports().clock.now(), pullBounds(user).untilMs);
  const attempts: Record<string, ConnectionPoll["attempts"][string]> = {};
  let isWhole = true;
  for (const resource of grantedResources(run)) {
    const error = await pullResource(deps, run, resource, client, endMs);
    attempts[resource.name] = { timestamp: isoNow(), status: error ? "failure" : "success" };
    // A permanent refusal must not hold up the other resources.
    isWhole &&= error === undefined || isPermanent(error);
    if (error instanceof AccessEnded) {
      const { user_id: userId, provider, connected_on: connectedOn } = poll;
      await failConnection(deps, scope, { userId, provider, connectedOn }, accessEndedFailure);
      return "ended";
    }
    // The provider would refuse the remaining resources too.
    if (error instanceof RateLimited) {
      return { attempts, pulledUntil: poll.pulled_until, isWhole, retryAtMs: error.retryAtMs };
    }
  }
  return { attempts, pulledUntil: new Date(endMs).toISOString(), isWhole };
}
