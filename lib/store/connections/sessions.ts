import { sessions } from "../../contract/resources.ts";
import { type Session, sessionRecord } from "../../domain/connections/link/session.ts";
import { isConditionMet } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const partition = (scope: TeamScope, userId: string) => `${sessions.keyPrefix}${scope.teamId}#${userId}`;
const sessionKey = (scope: TeamScope, userId: string, sessionId: string): Key => ({
  pk: partition(scope, userId),
  sk: sessionId,
});

/** Phone sessions of users. */
export class SessionStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, userId: string, sessionId: string): Promise<Session | undefined> {
    return this.#table.get(sessionKey(scope, userId, sessionId), sessionRecord);
  }

  createItem(scope: TeamScope, session: Session): WriteItem {
    return { Put: { TableName: this.#table.name, Item: itemOf(scope, session), ConditionExpression: NOT_EXISTS } };
  }

  /** Replaces the tokens of a session, unless it was refreshed or ended in the meantime. @returns whether it did. */
  refresh(scope: TeamScope, before: Session, after: Session): Promise<boolean> {
    return isConditionMet(
      this.#table.put(itemOf(scope, after), {
        ConditionExpression: "refresh_sha256 = :before",
        ExpressionAttributeValues: { ":before": before.refresh_sha256 },
      }),
    );
  }

  /** Deletes a session if it exists. */
  delete(scope: TeamScope, userId: string, sessionId: string): Promise<void> {
    return this.#table.delete(sessionKey(scope, userId, sessionId));
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}

function itemOf(scope: TeamScope, session: Session) {
  const expires_at = Math.ceil(Date.parse(session.refresh_ends_at) / 1000);
  return { ...sessionKey(scope, session.user_id, session.session_id), ...session, expires_at };
}
