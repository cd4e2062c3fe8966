import type { KeyRecord, Team } from "../../domain/management/records.ts";
import {
  applySettingsPatch,
  defaultTeamSettings,
  type TeamSettingsPatch,
} from "../../domain/management/team-settings.ts";
import { deployment } from "../../runtime/deployment.ts";
import { Conflict, NotFound, ValidationFailed } from "../../runtime/errors.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { TeamStore } from "../../store/management/teams.ts";
import type { WriteItem } from "../../store/transaction.ts";

/** A change of a team. Undefined keeps a value, and so does null, except that null clears the integration id. */
export interface TeamChange {
  readonly name?: string | null | undefined;
  readonly integration_team_id?: string | null | undefined;
  readonly settings?: TeamSettingsPatch | null | undefined;
}

/** Maximum attempts of a change that conflicts with concurrent ones. */
const MAX_CHANGE_ATTEMPTS = 8;

/**
 * Rejects an integration id that another team has. @param key the management key of the request.
 * @throws Conflict that names the other team, at the top of the body and in `detail`, if the key has access to it.
 */
export function refuseTakenIntegrationId(holder: Readonly<Record<string, unknown>> | undefined, key: KeyRecord): never {
  const message = "Another team has this integration_team_id.";
  const team_id = String(holder?.team_id ?? "");
  if (key.kind !== "org_admin" && !key.team_ids.includes(team_id)) throw new Conflict(message);
  throw new Conflict({ team_id, message }, { extra: { team_id } });
}

/** @throws ValidationFailed for settings of an environment that the deployment does not serve. */
export function requireServedSettings(given: { sandbox?: unknown; production?: unknown }): void {
  const other = deployment().environment === "sandbox" ? "production" : "sandbox";
  if (given[other] != null) throw ValidationFailed.at(["body", other], "This deployment serves another environment");
}

/**
 * Applies a change to a team. @param at body path of the settings. @throws ValidationFailed for a brand without a name.
 */
export function applyTeamChange(team: Team, change: TeamChange, at: readonly string[]): Team {
  const settings = applySettingsPatch(team.settings, change.settings ?? {});
  if (!settings) throw ValidationFailed.at(["body", ...at, "brand_information", "company_name"], "Field required");
  const integration_team_id =
    change.integration_team_id === undefined ? team.integration_team_id : change.integration_team_id;
  const features = [...new Set(change.settings?.features ?? team.features)];
  return { ...team, name: change.name ?? team.name, integration_team_id, features, settings };
}

/** Creates a team with default settings, to which {@link applyTeamChange} applies a request. */
export const createBlankTeam = (of: Pick<Team, "team_id" | "org_id" | "name" | "region" | "created_on">): Team => ({
  ...of,
  features: [],
  settings: defaultTeamSettings,
  integration_team_id: null,
  lifecycle: "active",
  version: 0,
});

/**
 * Changes a team with optimistic concurrency, and retries on conflicts.
 * @param key the management key of the request.
 * @param read reads the current team; throws its own error if the team is gone.
 * @throws Conflict if the integration id is taken, or after too many conflicts.
 */
export async function changeTeam(
  { teams, commit }: { teams: TeamStore; commit: (items: readonly WriteItem[]) => Promise<void> },
  key: KeyRecord,
  read: () => Promise<Team>,
  change: (team: Team) => Team,
): Promise<Team> {
  for (let attempt = 1; attempt <= MAX_CHANGE_ATTEMPTS; attempt++) {
    const before = await read();
    const after = change(before);
    try {
      await commit(teams.updateItems(before, after));
      return after;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // The team itself is unchanged, so the condition of the reservation failed.
      if (!error.items.has(0) && error.items.has(2)) refuseTakenIntegrationId(error.items.get(2), key);
    }
  }
  throw new Conflict("Concurrent requests changed this team. Try again.");
}

/** Returns the team in any lifecycle state. @throws NotFound if the organisation has none with this id. */
export async function requireTeamInAnyState(teams: TeamStore, path: { org_id: string; team_id: string }) {
  const team = await teams.getAnyState(path.team_id);
  if (team?.org_id !== path.org_id) throw new NotFound("There is no team with this id.");
  return team;
}
