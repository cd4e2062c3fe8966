import * as z from "zod";
import { type ConsoleSession, consoleSession } from "../../domain/console/console-session.ts";
import { isConditionMet } from "../condition-failed.ts";
import { NOT_EXISTS, type Page } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";
import { type ConsoleSessionStore, sessionKey, sessionPartition } from "./console-sessions.ts";

const listedSession = consoleSession.extend({ sk: z.string() });

/** Builds the write of a new session. It fails if the id exists. */
export function createSessionItem(
  { table }: ConsoleSessionStore,
  scope: TeamScope,
  session: ConsoleSession,
): WriteItem {
  const expires_at = Math.ceil(Date.parse(session.ends_at) / 1000);
  const Item = { ...sessionKey(scope, session.session_id), ...session, expires_at };
  return { Put: { TableName: table.name, Item, ConditionExpression: NOT_EXISTS } };
}

/** Returns sessions of a team in order of their ids, after one of them, including expired ones. */
export function listSessions(
  { table }: ConsoleSessionStore,
  scope: TeamScope,
  after: string | undefined,
  limit: number,
): Promise<Page<ConsoleSession & { sk: string }>> {
  return table.query(
    {
      KeyConditionExpression: "pk = :team",
      ExpressionAttributeValues: { ":team": sessionPartition(scope) },
      ...(after === undefined ? {} : { ExclusiveStartKey: sessionKey(scope, after) }),
      Limit: limit,
    },
    listedSession,
  );
}

/** Ends a session. @returns whether it existed and had not expired. @param now ISO 8601. */
export function endSession(
  { table }: ConsoleSessionStore,
  scope: TeamScope,
  sessionId: string,
  now: string,
): Promise<boolean> {
  return isConditionMet(
    table.delete(sessionKey(scope, sessionId), {
      ConditionExpression: "ends_at > :now",
      ExpressionAttributeValues: { ":now": now },
    }),
  );
}

/**
 * Moves the end of an open session that its person uses. @returns whether it was open.
 * @param idleEndsAt the new end, ISO 8601. @param now ISO 8601.
 */
export function renewSession(
  { table }: ConsoleSessionStore,
  scope: TeamScope,
  sessionId: string,
  { idleEndsAt, now }: { readonly idleEndsAt: string; readonly now: string },
): Promise<boolean> {
  return isConditionMet(
    table.update(sessionKey(scope, sessionId), {
      UpdateExpression: "SET idle_ends_at = :idle",
      ConditionExpression: "ends_at > :now AND idle_ends_at > :now",
      ExpressionAttributeValues: { ":idle": idleEndsAt, ":now": now },
    }),
  );
}
