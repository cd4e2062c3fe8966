import { findPulledProvider } from "../../../connectors/connectors.ts";
import {
  type ConnectionPoll,
  connectionPollRef,
  isPollAwaited,
  isPollRunning,
  requestPoll,
} from "../../../domain/connections/pulls/connection-poll.ts";
import { listConnections, type UserRecord } from "../../../domain/users/user.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { isoNow } from "../../../runtime/ports.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { waitUntil } from "../wait-until.ts";

type RefreshUserDependencies = Dependencies<"connectionPolls" | "connectionPulls">;

/** Providers of a user by the outcome of a refresh. */
export interface RefreshOutcome {
  readonly refreshed: string[];
  readonly inProgress: string[];
  readonly failed: string[];
}

/**
 * Requests a pull of new data for every pullable connection of a user, and waits for the pulls for at most `mostMs`.
 * Waits for a running pull instead of starting another. Broken connections count as failed.
 */
export async function refreshUser(
  deps: RefreshUserDependencies,
  scope: TeamScope,
  user: UserRecord,
  mostMs: number,
): Promise<RefreshOutcome> {
  const { connectionPolls } = deps;
  const connections = listConnections(user);
  const working = connections.filter(([, { status }]) => status === "connected").map(([provider]) => provider);
  const broken = connections.filter(([, { status }]) => status === "error").map(([provider]) => provider);
  const askable: string[] = [];
  for (const poll of await connectionPolls.list(scope, user.user_id)) {
    if (!working.includes(poll.provider) || !(await canBePulled(poll.provider))) continue;
    await requestPull(deps, scope, poll);
    askable.push(poll.provider);
  }
  let polls: ConnectionPoll[] = [];
  await waitUntil(mostMs, async () => {
    polls = (await connectionPolls.list(scope, user.user_id)).filter(({ provider }) => askable.includes(provider));
    return !polls.some((poll) => isPollAwaited(poll, isoNow()));
  });
  const now = isoNow();
  const ended = (status: string) =>
    polls.filter((poll) => !isPollAwaited(poll, now) && poll.status === status).map(({ provider }) => provider);
  const inProgress = polls.filter((poll) => isPollAwaited(poll, now)).map(({ provider }) => provider);
  return { refreshed: ended("success"), inProgress, failed: [...broken, ...ended("failure")] };
}

/** Requests a pull of a connection now. Safe against concurrent requests. */
async function requestPull(deps: RefreshUserDependencies, scope: TeamScope, first: ConnectionPoll): Promise<void> {
  let poll: ConnectionPoll | undefined = first;
  while (poll && !isPollRunning(poll, isoNow())) {
    const changed = await deps.connectionPolls.replace(scope, poll, requestPoll(poll, isoNow()));
    if (changed) {
      // Best effort: the sweeper starts any pull whose message is lost.
      const sent = deps.connectionPulls.send(connectionPollRef.parse(changed));
      return void (await sent.catch(() => undefined));
    }
    poll = await deps.connectionPolls.get(scope, poll);
  }
}

async function canBePulled(provider: string): Promise<boolean> {
  const connector = await findPulledProvider(provider);
  return connector !== undefined && !connector.isPushOnly;
}
