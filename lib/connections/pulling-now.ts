import type { PulledProvider, Window } from "../connectors/connector.ts";
import {
  AccessEnded,
  ProviderError,
  ProviderRefused,
  RateLimited,
  UnreadableAnswer,
} from "../connectors/provider-error.ts";
import type { ProviderClient } from "../connectors/provider-http.ts";
import { afterRun, type ConnectionPoll, claimed, type PollRun, resting } from "../domain/linking/connection-poll.ts";
import { isPastBounds, pullBounds } from "../domain/linking/pull-bounds.ts";
import type { UserRecord } from "../domain/user.ts";
import type { Log } from "../runtime/log.ts";
import { isoNow, ports } from "../runtime/ports.ts";
import { TeamBudget } from "../runtime/team-budget.ts";
import type { ConnectionPollStore } from "../store/linking/connection-polls.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { accessEnded, failConnection } from "./failing.ts";
import { type PausingUses, pauseConnection } from "./pausing.ts";
import { grantedResources } from "./planning-pulls.ts";
import { pollEveryMs } from "./pull-times.ts";
import { droppedLogger, logFailedWindow, pulledBatches } from "./pulled-batches.ts";
import { clientOf, type RefreshingUses } from "./refreshing.ts";
import { type TakingUses, takeBatch } from "./taking-batch.ts";

export interface PullingNowUses extends RefreshingUses, PausingUses, TakingUses {
  readonly outbox: OutboxStore;
  readonly connectionPolls: ConnectionPollStore;
}

const DAY_MS = 86_400_000;
/** Maximum duration of a run. Afterwards another run may take over. */
const LEASE_MS = 10 * 60_000;
/** Overlap of pulls, since providers revise data and devices upload late. */
const AGAIN_MS = 2 * DAY_MS;

/** The connection of a pull. */
interface Run {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  readonly connector: PulledProvider;
  readonly poll: ConnectionPoll;
  readonly scopes: readonly string[];
  readonly log: Log;
}

/** Pulls the new data of all granted resources of a due connection, under a lease. */
export async function pullNow(
  uses: PullingNowUses,
  scope: TeamScope,
  poll: ConnectionPoll,
  connector: PulledProvider,
  log: Log,
) {
  const { connectionPolls } = uses;
  const user = await uses.users.get(scope, poll.user_id);
  const connection = user?.connections[poll.provider];
  const isOver = connection?.created_on !== poll.connected_on || connection.status !== "connected";
  const credentials = isOver ? undefined : await uses.connectionCredentials.get(scope, poll.user_id, poll.provider);
  const nowMs = ports().clock.now();
  if (!user || !credentials || isPastBounds(user, nowMs)) {
    if (user && credentials) await pauseConnection(uses, scope, user, poll.provider);
    const isBroken = connection?.status === "error" && connection.created_on === poll.connected_on;
    return void (await connectionPolls.replace(scope, poll, resting(isBroken ? { ...poll, status: "failure" } : poll)));
  }
  const spentUntil = await new TeamBudget(uses, scope, log).spentUntil();
  if (spentUntil !== undefined) {
    return void (await connectionPolls.replace(scope, poll, { ...poll, due_at: new Date(spentUntil).toISOString() }));
  }
  const mine = await connectionPolls.replace(scope, poll, claimed(poll, new Date(nowMs + LEASE_MS).toISOString()));
  if (!mine) return;
  const outcome = await pullResources(uses, { scope, user, connector, poll: mine, scopes: credentials.scopes, log });
  const after =
    outcome === "ended"
      ? resting({ ...mine, status: "failure" })
      : afterRun(mine, outcome, ports().clock.now(), pollEveryMs(connector, connection?.demo));
  await connectionPolls.replace(scope, mine, after);
}

/** Pulls all resources. @returns the result of the run; "ended" if access has ended. */
async function pullResources(uses: PullingNowUses, run: Run): Promise<PollRun | "ended"> {
  const { scope, user, connector, poll, log } = run;
  const client = clientOf(uses, scope, user, connector, droppedLogger(log, { provider: connector.slug }));
  const endMs = Math.min(ports().clock.now(), pullBounds(user).untilMs);
  const attempts: Record<string, ConnectionPoll["attempts"][string]> = {};
  let isWhole = true;
  for (const resource of grantedResources(run)) {
    const error = await pullResource(uses, run, resource, client, endMs);
    attempts[resource.name] = { timestamp: isoNow(), status: error ? "failure" : "success" };
    // A permanent refusal must not hold up the other resources.
    isWhole &&= error === undefined || isForGood(error);
    if (error instanceof AccessEnded) {
      const { user_id: userId, provider, connected_on: connectedOn } = poll;
      await failConnection(uses, scope, { userId, provider, connectedOn }, accessEnded);
      return "ended";
    }
    // The provider would refuse the remaining resources too.
    if (error instanceof RateLimited) {
      return { attempts, pulledUntil: poll.pulled_until, isWhole, retryAtMs: error.retryAtMs };
    }
  }
  return { attempts, pulledUntil: new Date(endMs).toISOString(), isWhole };
}

/** Whether a retry is pointless. */
const isForGood = (error: ProviderError): boolean =>
  error instanceof ProviderRefused || error instanceof UnreadableAnswer;

/**
 * Pulls the new data of a resource, window by window. Continues after a window that is refused permanently.
 * @returns the last error of the provider.
 */
async function pullResource(
  uses: PullingNowUses,
  run: Run,
  { name, windowDays }: PulledProvider["resources"][number],
  client: ProviderClient,
  endMs: number,
): Promise<ProviderError | undefined> {
  const firstMs = Math.max(Date.parse(run.poll.pulled_until) - AGAIN_MS, pullBounds(run.user).fromMs);
  let refused: ProviderError | undefined;
  for (let startMs = firstMs; startMs < endMs; startMs += windowDays * DAY_MS) {
    const window = { startMs, endMs: Math.min(endMs, startMs + windowDays * DAY_MS) };
    const error = await pullWindow(uses, run, name, window, client);
    if (error && !isForGood(error)) return error;
    refused = error ?? refused;
  }
  return refused;
}

async function pullWindow(
  uses: PullingNowUses,
  { scope, user, connector, log }: Run,
  resource: string,
  window: Window,
  client: ProviderClient,
): Promise<ProviderError | undefined> {
  const { slug: provider } = connector;
  try {
    for await (const batch of pulledBatches(connector, resource, { window }, client)) {
      const taken = { user, provider, stage: "daily", receivedAt: ports().clock.now(), log } as const;
      await takeBatch(uses, scope, taken, batch);
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    logFailedWindow(log, error, { provider, resource });
    return error;
  }
}
