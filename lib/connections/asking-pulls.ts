import { findPulled } from "../connectors/connectors.ts";
import { asked, type ConnectionPoll, isAwaited, isRunning, pollName } from "../domain/linking/connection-poll.ts";
import type { UserRecord } from "../domain/user.ts";
import { waitUntil } from "../runtime/linking/waiting.ts";
import { isoNow } from "../runtime/ports.ts";
import type { Queue } from "../runtime/queue.ts";
import type { ConnectionPollStore } from "../store/linking/connection-polls.ts";
import type { TeamScope } from "../store/team-scope.ts";

interface AskingUses {
  readonly connectionPolls: ConnectionPollStore;
  readonly connectionPulls: Queue;
}

/** Providers of a user by the outcome of a refresh. */
export interface Refreshed {
  readonly refreshed: string[];
  readonly inProgress: string[];
  readonly failed: string[];
}

/**
 * Requests a pull of new data for every pullable connection of a user, and waits for the pulls for at most `mostMs`.
 * Waits for a running pull instead of starting another. Broken connections count as failed.
 */
export async function refreshUser(
  uses: AskingUses,
  scope: TeamScope,
  user: UserRecord,
  mostMs: number,
): Promise<Refreshed> {
  const { connectionPolls } = uses;
  const connections = Object.entries(user.connections);
  const working = connections.filter(([, { status }]) => status === "connected").map(([provider]) => provider);
  const broken = connections.filter(([, { status }]) => status === "error").map(([provider]) => provider);
  const askable: string[] = [];
  for (const poll of await connectionPolls.list(scope, user.user_id)) {
    if (!working.includes(poll.provider) || !(await canBeAsked(poll.provider))) continue;
    await askNow(uses, scope, poll);
    askable.push(poll.provider);
  }
  let polls: ConnectionPoll[] = [];
  await waitUntil(mostMs, async () => {
    polls = (await connectionPolls.list(scope, user.user_id)).filter(({ provider }) => askable.includes(provider));
    return !polls.some((poll) => isAwaited(poll, isoNow()));
  });
  const now = isoNow();
  const ended = (status: string) =>
    polls.filter((poll) => !isAwaited(poll, now) && poll.status === status).map(({ provider }) => provider);
  const inProgress = polls.filter((poll) => isAwaited(poll, now)).map(({ provider }) => provider);
  return { refreshed: ended("success"), inProgress, failed: [...broken, ...ended("failure")] };
}

/** Requests a pull of a connection now. Safe against concurrent requests. */
async function askNow(uses: AskingUses, scope: TeamScope, first: ConnectionPoll): Promise<void> {
  let poll: ConnectionPoll | undefined = first;
  while (poll && !isRunning(poll, isoNow())) {
    const changed = await uses.connectionPolls.replace(scope, poll, asked(poll, isoNow()));
    if (changed) {
      // Best effort: the sweeper starts any pull whose message is lost.
      const sent = uses.connectionPulls.send(pollName.parse(changed));
      return void (await sent.catch(() => undefined));
    }
    poll = await uses.connectionPolls.get(scope, poll);
  }
}

async function canBeAsked(provider: string): Promise<boolean> {
  const connector = await findPulled(provider);
  return connector !== undefined && !connector.isPushOnly;
}
