import { get } from "../contract/access.ts";
import { keys } from "../contract/resources.ts";
import type { KeyRecord, Team } from "../domain/identity.ts";
import { isRevoked, type MadeBy } from "../domain/made-by.ts";
import type { TeamStore } from "../store/identity.ts";
import type { KeyStore } from "../store/keys.ts";
import { TeamScope } from "../store/team-scope.ts";
import type { UserStore } from "../store/users.ts";
import { ports } from "./ports.ts";
import { recall } from "./remembered-identity.ts";
import { usesOf } from "./uses.ts";

/** A credential and its parents: its team, its user and the key that created it. */
export interface Dependent extends MadeBy {
  readonly team_id: string;
  readonly user_id?: string | undefined;
}

/** Dependencies of the check of a credential's parents. */
export interface ParentUses {
  readonly keys: Pick<KeyStore, "get">;
  readonly teams: Pick<TeamStore, "get">;
  readonly users: Pick<UserStore, "get">;
}

/**
 * Checks the parents of a credential. Its key is neither deleted nor expired, its team and user are not deleted, and
 * neither the key's nor the user's credentials are revoked. Every credential except managed keys passes this check.
 * A credential stored without its key depends on team and user only.
 * @returns the team; undefined if the credential is invalid.
 */
export async function livingParent(credential: Dependent, uses: ParentUses): Promise<Team | undefined> {
  const { team_id, user_id, key_id } = credential;
  const [team, key] = await Promise.all([
    uses.teams.get(team_id),
    key_id === undefined ? undefined : uses.keys.get(key_id),
  ]);
  if (!team || (key_id !== undefined && !(await isMakerAlive(key, credential, team)))) return undefined;
  if (user_id === undefined) return team;
  const user = await uses.users.get(TeamScope.grant(team_id), user_id);
  return user && !isRevoked(credential, user.credentials_revoked_at) ? team : undefined;
}

/**
 * Whether the management key that created an access token is valid. Tokens of earlier versions name no key and pass.
 */
export async function isTokenParentAlive(token: KeyRecord, team: Team): Promise<boolean> {
  const { made_by } = token;
  if (made_by === undefined) return true;
  const parent = await recall(`key ${made_by}`, async () => (await usesOf([get(keys)])).keys.get(made_by));
  return parent !== undefined && reaches(parent, team) && !isRevoked({ made_at: token.created_at }, parent.revoked_at);
}

/** Whether a key is expired. */
export const isOver = ({ expires_at }: KeyRecord): boolean =>
  expires_at !== undefined && expires_at * 1000 <= ports().clock.now();

async function isMakerAlive(key: KeyRecord | undefined, credential: MadeBy, team: Team): Promise<boolean> {
  if (!key || isOver(key) || !reaches(key, team) || isRevoked(credential, key.revoked_at)) return false;
  return isTokenParentAlive(key, team);
}

const reaches = ({ kind, org_id, team_ids }: KeyRecord, team: Team): boolean =>
  org_id === team.org_id && (kind === "org_admin" || team_ids.includes(team.team_id));
