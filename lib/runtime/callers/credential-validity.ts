import { getItem } from "../../contract/access.ts";
import { keys } from "../../contract/resources.ts";
import { type ConsoleSession, isOpen } from "../../domain/console/console-session.ts";
import { type IssuedBy, type IssuedLink, isRevoked } from "../../domain/management/issued-by.ts";
import type { KeyRecord, Team } from "../../domain/management/records.ts";
import type { ConsoleSessionStore } from "../../store/console/console-sessions.ts";
import type { KeyStore } from "../../store/management/keys.ts";
import type { TeamStore } from "../../store/management/teams.ts";
import { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users/users.ts";
import { resolveDependencies } from "../dependencies.ts";
import { Unauthorized } from "../errors.ts";
import { isoNow, ports } from "../ports.ts";
import { readThroughCache } from "./identity-cache.ts";

/** A credential and its parents: its team, its user and the key that created it. */
export interface DependentCredential extends IssuedBy {
  readonly team_id: string;
  readonly user_id?: string | undefined;
}

/** Dependencies of the check of a credential's parents. */
export type CredentialValidityDependencies = {
  readonly keys: Pick<KeyStore, "get">;
  readonly teams: Pick<TeamStore, "get">;
  /** Absent for credentials that belong to no user. A credential with a user is invalid without it. */
  readonly users?: Pick<UserStore, "get">;
};

/**
 * Checks the parents of a credential. Its key is neither deleted nor expired, its team and user are not deleted, and
 * neither the key's nor the user's credentials are revoked. Every credential except managed keys passes this check.
 * A credential stored without its key depends on team and user only.
 * @returns the team; undefined if the credential is invalid.
 */
export async function findTeamOfValidCredential(
  credential: DependentCredential,
  deps: CredentialValidityDependencies,
): Promise<Team | undefined> {
  const { team_id, user_id, key_id } = credential;
  const [team, key] = await Promise.all([
    deps.teams.get(team_id),
    key_id === undefined ? undefined : deps.keys.get(key_id),
  ]);
  if (!team || (key_id !== undefined && !(await isCreatorKeyValid(key, credential, team)))) return undefined;
  if (user_id === undefined) return team;
  const user = await deps.users?.get(TeamScope.grant(team_id), user_id);
  return user && !isRevoked(credential, user.credentials_revoked_at) ? team : undefined;
}

/**
 * Whether the management key that created an access token is valid. Tokens of earlier versions name no key and pass.
 */
export async function isParentKeyValid(token: KeyRecord, team: Team): Promise<boolean> {
  const { made_by } = token;
  if (made_by === undefined) return true;
  const parent = await readThroughCache(`key ${made_by}`, async () =>
    (await resolveDependencies([getItem(keys)])).keys.get(made_by),
  );
  return (
    parent !== undefined &&
    hasAccessToTeam(parent, team) &&
    !isRevoked({ made_at: token.created_at }, parent.revoked_at)
  );
}

/** Whether a key is expired. */
export const isKeyExpired = ({ expires_at }: KeyRecord): boolean =>
  expires_at !== undefined && expires_at * 1000 <= ports().clock.now();

/** Whether the key that created a credential is valid, has access to its team, and has not revoked it since. */
export async function isCreatorKeyValid(
  key: KeyRecord | undefined,
  credential: IssuedBy,
  team: Team,
): Promise<boolean> {
  if (!key || isKeyExpired(key) || !hasAccessToTeam(key, team) || isRevoked(credential, key.revoked_at)) return false;
  return isParentKeyValid(key, team);
}

const hasAccessToTeam = ({ kind, org_id, team_ids }: KeyRecord, team: Team): boolean =>
  org_id === team.org_id && (kind === "org_admin" || team_ids.includes(team.team_id));

/** The team of a link, and the person behind its calls. */
export interface LinkCreator {
  readonly scope: TeamScope;
  readonly team: Team;
  /** The API key that created the link, or that opened the session. */
  readonly keyId: string;
  /** The session of the console that created the link. */
  readonly consoleSession?: ConsoleSession;
}

interface LinkDependencies extends CredentialValidityDependencies {
  readonly consoleSessions: Pick<ConsoleSessionStore, "get">;
}

/**
 * Returns a link with its creator.
 * @throws Unauthorized for an unknown or expired link, and if its key, team, user or session has ended.
 */
export async function requireLiveLink<Link extends IssuedLink & { readonly user_id?: string | undefined }>(
  link: Link | undefined,
  deps: LinkDependencies,
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
