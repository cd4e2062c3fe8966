import { connectionErrorEvent } from "../events/connection-events.ts";
import { isoNow } from "../runtime/ports.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";

interface FailingUses {
  readonly users: UserStore;
  readonly outbox: OutboxStore;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** Why a connection stopped working, with a message for people. */
export interface ConnectionFailure {
  readonly error_type: "token_refresh_failed" | "deregistered_per_provider" | "user_not_found" | "unknown";
  readonly error_message: string;
}

/** The failure of a connection whose access has ended. */
export const accessEnded: ConnectionFailure = {
  error_type: "token_refresh_failed",
  error_message: "The provider no longer grants access; the user has to connect again.",
};

/** Marks a connection as broken and records the event once, unless the connection ended or was replaced meanwhile. */
export async function failConnection(
  { users, outbox, commit }: FailingUses,
  scope: TeamScope,
  { userId, provider, connectedOn }: { userId: string; provider: string; connectedOn: string },
  failure: ConnectionFailure,
): Promise<void> {
  const user = await users.get(scope, userId);
  const connection = user?.connections[provider];
  if (!user || connection?.created_on !== connectedOn || connection.status === "error") return;
  const failed = { ...connection, status: "error" as const, error: { ...failure, errored_at: isoNow() } };
  try {
    await commit([
      users.connectItem(scope, userId, provider, failed, { made: connectedOn }),
      outbox.addItem(connectionErrorEvent(user, provider, failed), isoNow()),
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
