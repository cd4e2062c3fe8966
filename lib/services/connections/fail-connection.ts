import { getItem, putItem, updateItem } from "../../contract/access.ts";
import { outbox, users } from "../../contract/resources.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import { connectionErrorEvent } from "../../events/constructors/connection-events.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { isoNow } from "../../runtime/ports.ts";
import { unlessConditionFailed } from "../../store/condition-failed.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";

type FailConnectionDependencies = Dependencies<"users" | "outbox" | "commit">;

/** Grants of {@link failConnection}. */
export const failConnectionAccess = [getItem(users), updateItem(users), putItem(outbox)] as const;

/** Why a connection stopped working, with a message for people. */
export interface ConnectionFailure {
  readonly error_type: "token_refresh_failed" | "deregistered_per_provider" | "user_not_found" | "unknown";
  readonly error_message: string;
}

/** The failure of a connection whose access has ended. */
export const accessEndedFailure: ConnectionFailure = {
  error_type: "token_refresh_failed",
  error_message: "The provider no longer grants access; the user has to connect again.",
};

/**
 * Marks a connection as broken and records the event once, unless the connection ended or was replaced meanwhile.
 * @param also returns further writes of the failure.
 */
export async function failConnection(
  { users, outbox, commit }: FailConnectionDependencies,
  scope: TeamScope,
  { userId, provider, connectedOn }: { userId: string; provider: string; connectedOn: string },
  failure: ConnectionFailure,
  also: (user: UserRecord) => Promise<readonly WriteItem[]> = async () => [],
): Promise<void> {
  const user = await users.get(scope, userId);
  const connection = user?.connections[provider];
  if (!user || connection?.created_on !== connectedOn || connection.status === "error") return;
  const failed = { ...connection, status: "error" as const, error: { ...failure, errored_at: isoNow() } };
  await unlessConditionFailed(
    commit([
      users.putConnectionItem(scope, userId, provider, failed, { made: connectedOn }),
      outbox.appendItem(connectionErrorEvent(user, provider, failed), isoNow()),
      ...(await also(user)),
    ]),
  );
}
