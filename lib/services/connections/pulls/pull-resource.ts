import type { PulledProvider, TimeWindow } from "../../../connectors/connector.ts";
import type { ProviderClient } from "../../../connectors/provider-client.ts";
import { ProviderError, ProviderRefused, UnreadableAnswer } from "../../../connectors/provider-error.ts";
import type { ConnectionPoll } from "../../../domain/connections/pulls/connection-poll.ts";
import { batchRanges, type HistoryRanges } from "../../../domain/connections/pulls/history-ranges.ts";
import { pullBounds } from "../../../domain/connections/pulls/pull-bounds.ts";
import { DAY_MS } from "../../../domain/shared/durations.ts";
import type { UserRecord } from "../../../domain/users/user.ts";
import type { Log } from "../../../runtime/log.ts";
import { ports } from "../../../runtime/ports.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import type { TeamBudget } from "../../usage/team-budget.ts";
import type { PayloadKeeper } from "../raw-payloads/payload-keeper.ts";
import { type AcceptPulledBatchDependencies, acceptPulledBatch } from "./accept-pulled-batch.ts";
import { logFailedWindow, pullBatches } from "./pull-batches.ts";

export type PullResourceDependencies = AcceptPulledBatchDependencies;

/** Overlap of pulls, since providers revise data and devices upload late. */
const OVERLAP_DAYS = 2;

/** A connection whose new data is pulled. */
export interface PullRun {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  readonly connector: PulledProvider;
  readonly poll: ConnectionPoll;
  readonly scopes: readonly string[];
  readonly log: Log;
  readonly budget: TeamBudget;
  readonly keeper: PayloadKeeper | undefined;
  /** Ranges of the data that the run finds. */
  readonly found: HistoryRanges[];
}

/** Whether a retry is pointless. */
export const isPermanent = (error: ProviderError): boolean =>
  error instanceof ProviderRefused || error instanceof UnreadableAnswer;

/**
 * Pulls the new data of a resource, window by window. Continues after a window that is refused permanently.
 * @returns the last error of the provider.
 */
export async function pullResource(
  deps: PullResourceDependencies,
  run: PullRun,
  { name, windowDays }: PulledProvider["resources"][number],
  client: ProviderClient,
  endMs: number,
): Promise<ProviderError | undefined> {
  const firstMs = Math.max(overlapStart(run, endMs), pullBounds(run.user).fromMs);
  let refused: ProviderError | undefined;
  for (let startMs = firstMs; startMs < endMs; startMs += windowDays * DAY_MS) {
    const window = { startMs, endMs: Math.min(endMs, startMs + windowDays * DAY_MS) };
    const error = await pullWindow(deps, run, name, window, client);
    if (error && !isPermanent(error)) return error;
    refused = error ?? refused;
  }
  return refused;
}

/**
 * The start of a pull (epoch ms). The first one of each day since the connection reaches back as far as devices of the
 * provider upload late. It does not reach beyond the history that the team wanted. Days begin at the time of the
 * connection, so that the long pulls of all connections spread over the day.
 */
function overlapStart({ connector, poll }: PullRun, endMs: number): number {
  const { lateUploadDays = OVERLAP_DAYS } = connector;
  const [connectedMs, pulledMs] = [Date.parse(poll.connected_on), Date.parse(poll.pulled_until)];
  const dayOf = (ms: number) => Math.floor((ms - connectedMs) / DAY_MS);
  const usual = pulledMs - OVERLAP_DAYS * DAY_MS;
  if (dayOf(pulledMs) === dayOf(endMs)) return usual;
  return Math.min(usual, Math.max(pulledMs - lateUploadDays * DAY_MS, connectedMs - OVERLAP_DAYS * DAY_MS));
}

async function pullWindow(
  deps: PullResourceDependencies,
  { scope, user, connector, log, budget, keeper, found }: PullRun,
  resource: string,
  window: TimeWindow,
  client: ProviderClient,
): Promise<ProviderError | undefined> {
  const { slug: provider } = connector;
  try {
    for await (const batch of pullBatches(connector, resource, { window }, client, keeper)) {
      const taken = { user, provider, stage: "daily", receivedAt: ports().clock.now(), log, budget, keeper } as const;
      found.push(batchRanges(await acceptPulledBatch(deps, scope, taken, batch)));
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    logFailedWindow(log, error, { provider, resource });
    return error;
  }
}
