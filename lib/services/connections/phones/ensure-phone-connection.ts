import { getItem, putItem, updateItem } from "../../../contract/access.ts";
import { outbox, users } from "../../../contract/resources.ts";
import { isProviderEnded } from "../../../domain/connections/link/phone-ends.ts";
import type { Session } from "../../../domain/connections/link/session.ts";
import type { Connection, UserRecord } from "../../../domain/users/user.ts";
import { connectionEvent } from "../../../events/constructors/connection-events.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { ConnectionEnded, UserNotFound } from "../../../runtime/errors.ts";
import { isoNow } from "../../../runtime/ports.ts";
import { providerSource } from "../../../runtime/wire-source.ts";
import { retryConditionFailed } from "../../../store/condition-failed.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { connectPhoneItem } from "../../../store/users/connection-changes.ts";

type EnsurePhoneConnectionDependencies = Dependencies<"users" | "outbox" | "commit">;

/** Grants of {@link ensurePhoneConnection}. */
export const ensurePhoneConnectionAccess = [getItem(users), updateItem(users), putItem(outbox)] as const;

/** A signed-in phone, with its user as the authentication read it. */
interface SignedInPhone {
  readonly scope: TeamScope;
  readonly session: Session;
  readonly user: UserRecord;
}

/**
 * Connects the user of a phone to a provider that the phone sends, unless it is connected. The usual case, a connected
 * provider, reads and writes nothing. One transaction makes the connection and records its event.
 * @throws ConnectionEnded if the provider was disconnected after the sign-in; UserNotFound.
 */
export async function ensurePhoneConnection(
  deps: EnsurePhoneConnectionDependencies,
  { scope, session, user: read }: SignedInPhone,
  provider: string,
): Promise<void> {
  await retryConditionFailed(async (attempt) => {
    const user = attempt === 1 ? read : await deps.users.get(scope, session.user_id);
    if (!user) throw new UserNotFound();
    if (isProviderEnded(session, user, provider)) throw new ConnectionEnded();
    if (user.connections[provider] !== undefined) return;
    const connection: Connection = { created_on: isoNow(), status: "connected" };
    await deps.commit([
      connectPhoneItem(deps.users, scope, user, provider, connection),
      deps.outbox.appendItem(connectionEvent(user, providerSource(provider), connection), connection.created_on),
    ]);
  });
}
