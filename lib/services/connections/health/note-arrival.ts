import { putItem, updateItem } from "../../../contract/access.ts";
import { connectionHealth, outbox, users } from "../../../contract/resources.ts";
import { endsStaleness } from "../../../domain/connections/health/ends-staleness.ts";
import { arrivalRhythmMs } from "../../../domain/connections/health/rhythms.ts";
import type { SampleBatch } from "../../../domain/ingest/batch.ts";
import type { Connection, UserRecord } from "../../../domain/users/user.ts";
import { connectionRecoveredEvent } from "../../../events/constructors/connection-events.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import { unlessConditionFailed } from "../../../store/condition-failed.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { replaceConnectionItem } from "../../../store/users/connection-changes.ts";

export type NoteArrivalDependencies = Dependencies<"users" | "connectionHealth" | "outbox" | "commit">;

/** Grants of {@link noteArrival}. */
export const noteArrivalAccess = [updateItem(users), putItem(connectionHealth), putItem(outbox)] as const;

/** A stored batch, with its user as read when storing began. */
interface Arrival {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  readonly batch: SampleBatch;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/**
 * Ends the staleness of a connection whose data arrives, and starts to watch a connection at its first data. The usual
 * case, a watched connection that is not stale, reads and writes nothing.
 */
export async function noteArrival(deps: NoteArrivalDependencies, arrival: Arrival): Promise<void> {
  const { user, batch, receivedAt } = arrival;
  const connection = user.connections[batch.provider];
  if (connection?.status !== "connected" || connection.demo) return;
  if (connection.stale) {
    if (endsStaleness(connection.stale, batch, receivedAt)) await recover(deps, arrival, connection, connection.stale);
  } else if (!connection.watched && arrivalRhythmMs(batch.provider) !== undefined) {
    await watch(deps, arrival, connection);
  }
}

/** Starts to watch a connection, unless it changed meanwhile: then the next batch does. */
async function watch(
  { users, connectionHealth, commit }: NoteArrivalDependencies,
  { scope, user, batch: { provider } }: Arrival,
  connection: Connection,
): Promise<void> {
  const watched = { ...connection, watched: true };
  await unlessConditionFailed(
    commit([
      replaceConnectionItem(users, scope, user.user_id, provider, { before: connection, after: watched }),
      connectionHealth.putItem(scope, nextDeadline(user, provider, connection)),
    ]),
  );
}

async function recover(
  { users, connectionHealth, outbox, commit }: NoteArrivalDependencies,
  { scope, user, batch: { provider } }: Arrival,
  connection: Connection,
  stale: NonNullable<Connection["stale"]>,
): Promise<void> {
  const { stale: _, ...working } = connection;
  const now = isoNow();
  await unlessConditionFailed(
    commit([
      replaceConnectionItem(users, scope, user.user_id, provider, { before: connection, after: working }),
      connectionHealth.putItem(scope, nextDeadline(user, provider, connection)),
      outbox.appendItem(connectionRecoveredEvent(user, provider, connection, stale, now), now),
    ]),
  );
}

/** The health of a connection that is not stale. Polls judge a provider whose silence says nothing. */
function nextDeadline({ team_id, user_id }: UserRecord, provider: string, { created_on }: Connection) {
  const everyMs = arrivalRhythmMs(provider);
  const due = everyMs === undefined ? {} : { due_at: new Date(ports().clock.now() + everyMs).toISOString() };
  return { team_id, user_id, provider, connected_on: created_on, ...due };
}
