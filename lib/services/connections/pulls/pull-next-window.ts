import type { PulledProvider, TimeWindow } from "../../../connectors/connector.ts";
import {
  AccessEnded,
  type ProviderError,
  ProviderRefused,
  ProviderUnavailable,
  RateLimited,
  UnreadableAnswer,
} from "../../../connectors/provider-error.ts";
import { getItem, getSecretValue, grants, putItem, sendMessage } from "../../../contract/access.ts";
import { historyEnds, historyPulls } from "../../../contract/queues.ts";
import { historicalPulls, providerApps } from "../../../contract/resources.ts";
import { announcedRanges } from "../../../domain/connections/pulls/announced-ranges.ts";
import {
  completeWindow,
  endPull,
  type HistoricalPull,
  nextWindow,
  postponePull,
  retryWindow,
  skipWindow,
} from "../../../domain/connections/pulls/historical-pull.ts";
import {
  batchDays,
  type CompletedHistory,
  fillUndated,
  type HistoryRanges,
  mergeRanges,
} from "../../../domain/connections/pulls/history-ranges.ts";
import type { UserRecord } from "../../../domain/users/user.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { Log } from "../../../runtime/log.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
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

export type PullNextWindowDependencies = RefreshAccessDependencies &
  AcceptPulledBatchDependencies &
  KeepPayloadsDependencies &
  Dependencies<"users" | "outbox" | "historicalPulls" | "historyEnds" | "historyPulls" | "commit">;

/** Grants of {@link pullNextWindow}. */
export const pullNextWindowAccess = grants(
  teamBudgetAccess,
  failConnectionAccess,
  [getItem(historicalPulls), putItem(historicalPulls)],
  providerClientAccess,
  acceptPulledBatchAccess,
  keepPayloadsAccess,
  [sendMessage(historyEnds), sendMessage(historyPulls), getSecretValue(providerApps)],
);

/** Maximum duration of a run. Afterwards another run continues from the recorded progress. */
const LEASE_MS = 10 * 60_000;

/**
 * Pulls the next window of a due history, then queues the next run. Queues the pulled data before it records the window
 * as done, so that the repetition of a died run delivers the same data.
 */
export async function pullNextWindow(
  deps: PullNextWindowDependencies,
  scope: TeamScope,
  pull: HistoricalPull,
  connector: PulledProvider,
  log: Log,
) {
  const user = await deps.users.get(scope, pull.user_id);
  const connection = user?.connections[pull.provider];
  const now = isoNow();
  const isOver = connection?.created_on !== pull.connected_on || connection.status !== "connected";
  if (!user || isOver)
    return void (await deps.historicalPulls.replace(scope, pull, endPull(pull, now, "non_retriable_error")));
  const budget = new TeamBudget(deps, scope, log);
  const spentUntil = await budget.reserveRun();
  if (spentUntil !== undefined)
    return void (await deps.historicalPulls.replace(scope, pull, {
      ...pull,
      due_at: new Date(spentUntil).toISOString(),
    }));
  const due_at = new Date(ports().clock.now() + LEASE_MS).toISOString();
  const claimed: HistoricalPull = { ...pull, status: "in_progress", started_at: pull.started_at ?? now, due_at };
  if (!(await deps.historicalPulls.replace(scope, pull, claimed))) return;
  const after = await advancePull(deps, { scope, user, connector, log, budget }, claimed);
  if (after.status === "success") await deps.historyEnds.send(toHistoryEnd(after));
  const isKept = await deps.historicalPulls.replace(scope, claimed, after);
  if (isKept && after.status === "in_progress") await deps.historyPulls.send(pullKey(after));
}

/** The connection of a history pull. */
interface Run {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  readonly connector: PulledProvider;
  readonly log: Log;
  readonly budget: TeamBudget;
}

/** Pulls the next window. @returns the state of the pull afterwards, also on failure. */
async function advancePull(deps: PullNextWindowDependencies, run: Run, pull: HistoricalPull): Promise<HistoricalPull> {
  const { connector } = run;
  const resource = connector.resources.find(({ name }) => name === pull.resource);
  const window = resource && nextWindow(pull, resource.windowDays);
  if (!window) return endPull(pull, isoNow(), resource ? null : "non_retriable_error");
  try {
    const pulled = await pullWindow(deps, run, pull, window);
    return completeWindow({ ...pull, ...pulled }, window.endMs, isoNow());
  } catch (error) {
    return afterError(deps, run, pull, window, error);
  }
}

async function pullWindow(
  deps: PullNextWindowDependencies,
  { scope, user, connector, log, budget }: Run,
  { resource, ...pull }: HistoricalPull,
  window: TimeWindow,
) {
  const { slug: provider } = connector;
  const observers = observeResponses(log, { provider, resource });
  const keeper = PayloadKeeper.of(deps, await budget.team(), { scope, user, connector, log });
  const client = createProviderClient(deps, scope, user, connector, observers, keeper);
  const found: HistoryRanges[] = [pull.ranges];
  const days = new Set(pull.days);
  let received_at = pull.received_at;
  for await (const batch of pullBatches(connector, resource, { window }, client, keeper)) {
    received_at = ports().clock.now();
    const about = { user, provider, stage: "historical", receivedAt: received_at, log, budget, keeper } as const;
    const taken = await acceptPulledBatch(deps, scope, about, batch);
    found.push(announcedRanges(taken, user.fallback_time_zone.id));
    for (const day of batchDays(taken)) days.add(day);
  }
  return { ranges: mergeRanges(found), days: [...days], received_at };
}

async function afterError(
  deps: PullNextWindowDependencies,
  { scope, log }: Run,
  pull: HistoricalPull,
  window: TimeWindow,
  error: unknown,
) {
  const { user_id: userId, provider, connected_on: connectedOn, resource } = pull;
  if (error instanceof RateLimited) return postponePull(pull, error.retryAtMs);
  const isForGood = error instanceof ProviderRefused || error instanceof UnreadableAnswer;
  if (isForGood || error instanceof ProviderUnavailable)
    logFailedWindow(log, error as ProviderError, { provider, resource });
  if (isForGood) return skipWindow(pull, window.endMs, isoNow());
  if (error instanceof ProviderUnavailable) return retryWindow(pull, window.endMs, ports().clock.now());
  if (!(error instanceof AccessEnded)) throw error;
  await failConnection(deps, scope, { userId, provider, connectedOn }, accessEndedFailure);
  return endPull(pull, isoNow(), "non_retriable_error");
}

const pullKey = ({ team_id, user_id, provider, resource }: HistoricalPull) => ({
  team_id,
  user_id,
  provider,
  resource,
});

function toHistoryEnd(pull: HistoricalPull): CompletedHistory {
  const { team_id, user_id, provider, resource, received_at } = pull;
  const history_id = `pull#${provider}#${resource}#${pull.scheduled_at}`;
  const ranges = fillUndated(pull.ranges, { start_date: pull.range_start, end_date: pull.range_end });
  return { team_id, user_id, provider, source_type: "unknown", history_id, received_at, ranges };
}
