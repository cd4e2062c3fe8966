import { deleteItem, getItem, putItem, updateItem } from "../../contract/access.ts";
import type { ConsoleRole } from "../../contract/console/console-roles.ts";
import { consoleSessions, consoleTickets, keys, keyUses, teams } from "../../contract/resources.ts";
import { sha256 } from "../../crypto/api-key.ts";
import { generateConsoleToken } from "../../crypto/opaque-token.ts";
import {
  type ConsoleSession,
  consoleSessionEnd,
  DEFAULT_IDLE_MINUTES,
  idleEnd,
} from "../../domain/console/console-session.ts";
import type { KeyRecord, Team } from "../../domain/management/records.ts";
import { findTeamKey } from "../../runtime/callers/authenticate.ts";
import { findConsoleCaller } from "../../runtime/callers/console/authenticate-console.ts";
import { findTeamOfValidCredential } from "../../runtime/callers/credential-validity.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { Unauthorized } from "../../runtime/errors.ts";
import { isoNow, ports } from "../../runtime/ports.ts";
import { explainConditionFailed } from "../../store/condition-failed.ts";
import { createSessionItem, endSession } from "../../store/console/console-session-list.ts";
import { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";

/** Grants to open a session, and to end the one that the browser had. */
export const openSessionAccess = [
  getItem(keys),
  getItem(teams),
  updateItem(keyUses),
  getItem(consoleTickets),
  updateItem(consoleTickets),
  getItem(consoleSessions),
  putItem(consoleSessions),
  deleteItem(consoleSessions),
] as const;

type OpenSessionDependencies = Dependencies<"keys" | "teams" | "consoleTickets" | "consoleSessions" | "commit">;

/** A key, with the role and the name that its holder chooses. */
export interface KeySignIn {
  readonly key: string;
  readonly role: ConsoleRole;
  readonly name?: string | undefined;
}

/** An opened session, its team and key, and its token, which only the browser keeps. */
export interface OpenedSession {
  readonly session: ConsoleSession;
  readonly team: Team;
  readonly key: KeyRecord;
  readonly token: string;
}

type Parents = Pick<OpenedSession, "team" | "key">;
/** Who signs in, and the idle time of the session. */
type Person = Pick<ConsoleSession, "role" | "name" | "subject" | "idle_minutes">;

/** Opens a session with a team API key or an access token. @throws Unauthorized for an invalid key. */
export async function openSessionWithKey(
  { key: text, role, name }: KeySignIn,
  deps: OpenSessionDependencies,
): Promise<OpenedSession> {
  const parents = await findTeamKey(text);
  const { label, masked } = parents.key;
  return openSession(parents, { role, name: name ?? (label || masked), idle_minutes: DEFAULT_IDLE_MINUTES }, [], deps);
}

const invalidTicket = () => new Unauthorized("The ticket is invalid or was already used.");

/** Opens a session with a ticket, which it consumes. @throws Unauthorized for an invalid or used ticket. */
export async function openSessionWithTicket(text: string, deps: OpenSessionDependencies): Promise<OpenedSession> {
  const hash = sha256(text);
  const ticket = await deps.consoleTickets.get(hash);
  const team = ticket && (await findTeamOfValidCredential(ticket, deps));
  const key = ticket && (await deps.keys.get(ticket.key_id));
  if (!team || !key) throw invalidTicket();
  const consumption = deps.consoleTickets.consumeItem(hash, isoNow());
  return explainConditionFailed(openSession({ team, key }, ticket, [consumption], deps), invalidTicket);
}

/** Ends the session of a browser that signs in again, so that no token from before the sign-in stays valid. */
export async function endEarlierSession(
  token: string | undefined,
  { consoleSessions }: Pick<OpenSessionDependencies, "consoleSessions">,
): Promise<void> {
  const caller = token === undefined ? undefined : await findConsoleCaller(token);
  if (caller) await endSession(consoleSessions, caller.scope, caller.consoleSession.session_id, isoNow());
}

/** Opens a session of a person, together with other writes. */
export async function openSession(
  { team, key }: Parents,
  { role, name, subject, idle_minutes }: Person,
  items: readonly WriteItem[],
  { consoleSessions, commit }: Pick<OpenSessionDependencies, "consoleSessions" | "commit">,
): Promise<OpenedSession> {
  const { clock, ids } = ports();
  const nowMs = clock.now();
  const reference = { team_id: team.team_id, session_id: ids.uuid() };
  const { token, sha256 } = generateConsoleToken(reference, ids.bytes);
  const ends_at = consoleSessionEnd(nowMs, key.expires_at);
  const session: ConsoleSession = {
    ...reference,
    ...{ key_id: key.key_id, role, name, sha256, created_at: new Date(nowMs).toISOString(), ends_at, idle_minutes },
    ...(subject === undefined ? {} : { subject }),
    idle_ends_at: idleEnd({ ends_at, idle_minutes }, nowMs),
  };
  await commit([...items, createSessionItem(consoleSessions, TeamScope.grant(team.team_id), session)]);
  return { session, team, key, token };
}
