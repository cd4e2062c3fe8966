import { consoleSessions } from "../../contract/resources.ts";
import { type ConsoleSession, consoleSession } from "../../domain/console/console-session.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

/** Partition of the sessions of a team. */
export const sessionPartition = ({ teamId }: TeamScope) => `${consoleSessions.keyPrefix}${teamId}`;

export const sessionKey = (scope: TeamScope, sessionId: string): Key => ({
  pk: sessionPartition(scope),
  sk: sessionId,
});

/**
 * Console sessions of teams. Every route of a team looks sessions up, and few routes do more: their functions are in
 * console-session-list.ts, so that the others do not load them.
 */
export class ConsoleSessionStore {
  readonly table: Table;

  constructor(table: Table) {
    this.table = table;
  }

  /** Returns the session, including an expired one. */
  get(scope: TeamScope, sessionId: string): Promise<ConsoleSession | undefined> {
    return this.table.get(sessionKey(scope, sessionId), consoleSession);
  }
}
