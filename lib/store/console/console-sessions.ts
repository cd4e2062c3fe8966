import * as z from "zod";
import { consoleSessions } from "../../contract/resources.ts";
import { type ConsoleSession, consoleSession } from "../../domain/console/console-session.ts";
import { isConditionMet } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Page, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const listedSession = consoleSession.extend({ sk: z.string() });
const partition = (scope: TeamScope) => `${consoleSessions.keyPrefix}${scope.teamId}`;
const sessionKey = (scope: TeamScope, sessionId: string): Key => ({ pk: partition(scope), sk: sessionId });

/** Console sessions of teams. */
export class ConsoleSessionStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the session, including an expired one. */
  get(scope: TeamScope, sessionId: string): Promise<ConsoleSession | undefined> {
    return this.#table.get(sessionKey(scope, sessionId), consoleSession);
  }

  /** Builds the write of a new session. It fails if the id exists. */
  createItem(scope: TeamScope, session: ConsoleSession): WriteItem {
    const expires_at = Math.ceil(Date.parse(session.ends_at) / 1000);
    const Item = { ...sessionKey(scope, session.session_id), ...session, expires_at };
    return { Put: { TableName: this.#table.name, Item, ConditionExpression: NOT_EXISTS } };
  }

  /** Returns sessions of a team in order of their ids, after one of them, including expired ones. */
  list(scope: TeamScope, after: string | undefined, limit: number): Promise<Page<ConsoleSession & { sk: string }>> {
    return this.#table.query(
      {
        KeyConditionExpression: "pk = :team",
        ExpressionAttributeValues: { ":team": partition(scope) },
        ...(after === undefined ? {} : { ExclusiveStartKey: sessionKey(scope, after) }),
        Limit: limit,
      },
      listedSession,
    );
  }

  /** Ends a session. @returns whether it existed and had not expired. @param now ISO 8601. */
  end(scope: TeamScope, sessionId: string, now: string): Promise<boolean> {
    return isConditionMet(
      this.#table.delete(sessionKey(scope, sessionId), {
        ConditionExpression: "ends_at > :now",
        ExpressionAttributeValues: { ":now": now },
      }),
    );
  }
}
