import type * as z from "zod";
import type { managementRoles, teamRoleBindings, wireManagementKey } from "../../domain/management/wire-key.ts";
import { NotFound, ValidationFailed } from "../../runtime/errors.ts";
import type { KeyStore, ListedKey } from "../../store/management/keys.ts";
import { keyListPrefixes } from "../../store/management/keys.ts";
import type { TeamStore } from "../../store/management/teams.ts";

type Role = (typeof managementRoles)[number];
type Bindings = z.output<typeof teamRoleBindings> | null | undefined;

/**
 * Returns the teams of a new management key: at least one for a team-scoped key, none for an organisation key.
 * @throws ValidationFailed otherwise, or if a team does not belong to the organisation.
 */
export async function requireTeamBindings(teams: TeamStore, orgId: string, role: Role, bindings: Bindings) {
  const wrong = (msg: string, ...at: (string | number)[]) =>
    ValidationFailed.at(["body", "team_role_bindings", ...at], msg);
  const teamIds = [...new Set(bindings?.map(({ team_id }) => team_id))];
  if (role === "org_admin" && teamIds.length > 0) throw wrong("An organization key takes no team bindings");
  if (role === "team_admin" && teamIds.length === 0) throw wrong("A team key needs at least one team binding");
  const found = await Promise.all(teamIds.map((id) => teams.get(id)));
  const unknown = found.findIndex((team) => team?.org_id !== orgId);
  if (unknown >= 0) throw wrong("The organization has no team with this id", unknown, "team_id");
  return teamIds;
}

/** Returns the management key with this id. @throws NotFound if the organisation has none. */
export async function requireManagementKey(keys: KeyStore, orgId: string, id: string): Promise<ListedKey> {
  const found = (await keys.listAll(orgId, keyListPrefixes.managementKeys)).find((key) => key.id === id);
  if (!found) throw new NotFound("There is no management key with this id.");
  return found;
}

export const managementRole = ({ kind }: Pick<ListedKey, "kind">): Role =>
  kind === "org_admin" ? "org_admin" : "team_admin";

/** Converts a management key to its wire form. @param lastUse ISO 8601. */
export function toWireManagementKey(key: ListedKey, lastUse: string | undefined): z.output<typeof wireManagementKey> {
  const { id, label, masked, created_at, team_ids } = key;
  const role = managementRole(key);
  return {
    id,
    label,
    value: masked,
    created_at,
    creator: { type: "management_key" },
    role,
    team_role_bindings: role === "org_admin" ? null : team_ids.map((team_id) => ({ team_id })),
    last_used_at: lastUse ?? null,
  };
}
