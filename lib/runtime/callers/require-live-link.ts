import { type ConsoleSession, isOpen } from "../../domain/console/console-session.ts";
import type { IssuedLink } from "../../domain/management/issued-by.ts";
import type { Team } from "../../domain/management/records.ts";
import type { ConsoleSessionStore } from "../../store/console/console-sessions.ts";
import { TeamScope } from "../../store/team-scope.ts";
import { Unauthorized } from "../errors.ts";
import { isoNow, ports } from "../ports.ts";
import { type CredentialValidityDependencies, findTeamOfValidCredential } from "./credential-validity.ts";

/** The team of a link, and the person behind its calls. */
export interface LinkCreator {
  readonly scope: TeamScope;
  readonly team: Team;
  /** The API key that created the link, or that opened the session. */
  readonly keyId: string;
  /** The session of the console that created the link. */
  readonly consoleSession?: ConsoleSession;
}

interface Dependencies extends CredentialValidityDependencies {
  readonly consoleSessions: Pick<ConsoleSessionStore, "get">;
}

/**
 * Returns a link with its creator.
 * @throws Unauthorized for an unknown or expired link, and if its key, team, user or session has ended.
 */
export async function requireLiveLink<Link extends IssuedLink & { readonly user_id?: string | undefined }>(
  link: Link | undefined,
  deps: Dependencies,
): Promise<{ readonly link: Link; readonly creator: LinkCreator }> {
  const isOver = !link || link.expires_at * 1000 <= ports().clock.now();
  const team = isOver ? undefined : await findTeamOfValidCredential(link, deps);
  if (isOver || !team) throw ended();
  const creator = { scope: TeamScope.grant(link.team_id), team, keyId: link.key_id };
  if (link.console_session_id === undefined) return { link, creator };
  const consoleSession = await deps.consoleSessions.get(creator.scope, link.console_session_id);
  if (!consoleSession || !isOpen(consoleSession, isoNow())) throw ended();
  return { link, creator: { ...creator, consoleSession } };
}

const ended = () => new Unauthorized("The link is no longer valid.");
