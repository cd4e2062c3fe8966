import * as z from "zod";
import type { KeyRecord } from "../../domain/management/records.ts";
import { requireTeam } from "../../runtime/callers/management-access.ts";
import type { PageCursor } from "../../runtime/http/page-cursor.ts";
import { positionText } from "../../store/cursor.ts";
import type { TeamStore } from "../../store/management/teams.ts";
import { TeamScope } from "../../store/team-scope.ts";

type OrgRequest = { readonly key: KeyRecord; readonly params: { readonly org_id: string } };
/** A non-empty list. The request schema demands at least one entry. */
type NonEmpty<T> = [T, ...T[]];

/** Grants the scopes of the requested teams, without duplicates. @throws NotFound for a team without access. */
export async function requireTeamScopes(teams: TeamStore, { key, params }: OrgRequest, teamIds: readonly string[]) {
  const found = await Promise.all([...new Set(teamIds)].map((id) => requireTeam(teams, key, params.org_id, id)));
  return found.map(({ team_id }) => TeamScope.grant(team_id)) as NonEmpty<TeamScope>;
}

/** Grants the scopes of one page of an organisation's teams. @throws ValidationFailed for a cursor of another query. */
export async function listTeamScopes(
  teams: TeamStore,
  orgId: string,
  cursor: string | null | undefined,
  pages: PageCursor,
  size = 100,
) {
  const after = pages.read(cursor, z.tuple([positionText]));
  const { items, lastKey } = await teams.list(orgId, after?.[0], size);
  const last = items.at(-1);
  return {
    scopes: items.map(({ team_id }) => TeamScope.grant(team_id)),
    next_cursor: lastKey && last ? pages.write([last.sk]) : null,
  };
}
