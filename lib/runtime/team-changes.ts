import type { KeyRecord, Team } from "../domain/identity.ts";
import { changeSettings, newTeamSettings, type TeamSettingsPatch } from "../domain/team-settings.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { TeamStore } from "../store/identity.ts";
import type { WriteItem } from "../store/transaction.ts";
import { deployment } from "./deployment.ts";
import { Conflict, NotFound, ValidationFailed } from "./errors.ts";

/** What a request may say of a team; undefined leaves as it is, and so does null except for the integration id. */
export interface TeamChange {
  readonly name?: string | null | undefined;
  readonly integration_team_id?: string | null | undefined;
  readonly settings?: TeamSettingsPatch | null | undefined;
}

/** How often a change that met another one of the same team is made anew. */
const CHANGE_ATTEMPTS = 8;

/**
 * @param key a management key, which is told nothing of teams out of its reach.
 * @throws Conflict that names the team which has the integration id: at the top of the body and in `detail`.
 */
export function refuseTaken(holder: Readonly<Record<string, unknown>> | undefined, key: KeyRecord): never {
  const message = "Another team has this integration_team_id.";
  const team_id = String(holder?.team_id ?? "");
  if (key.kind !== "org_admin" && !key.team_ids.includes(team_id)) throw new Conflict(message);
  throw new Conflict({ team_id, message }, { extra: { team_id } });
}

/** @throws ValidationFailed where settings are said of an environment that the deployment does not serve. */
export function requireServedSettings(given: { sandbox?: unknown; production?: unknown }): void {
  const other = deployment().environment === "sandbox" ? "production" : "sandbox";
  if (given[other] != null) throw ValidationFailed.at(["body", other], "This deployment serves another environment");
}

/** A team after a change. @param at where in the body the settings are. @throws ValidationFailed for a nameless brand. */
export function changedTeam(team: Team, change: TeamChange, at: readonly string[]): Team {
  const settings = changeSettings(team.settings, change.settings ?? {});
  if (!settings) throw ValidationFailed.at(["body", ...at, "brand_information", "company_name"], "Field required");
  const integration_team_id =
    change.integration_team_id === undefined ? team.integration_team_id : change.integration_team_id;
  const features = [...new Set(change.settings?.features ?? team.features)];
  return { ...team, name: change.name ?? team.name, integration_team_id, features, settings };
}

/** A new team as {@link changedTeam} takes it. */
export const blankTeam = (of: Pick<Team, "team_id" | "org_id" | "name" | "region" | "created_on">): Team => ({
  ...of,
  features: [],
  settings: newTeamSettings,
  integration_team_id: null,
  lifecycle: "active",
  version: 0,
});

/**
 * Changes a team, anew where another change came between.
 * @param key by which it is changed.
 * @param read the team as it is, or an error of its own when there is none any more.
 * @throws Conflict when the integration id is taken, or others change the team without end.
 */
export async function changeTeam(
  { teams, commit }: { teams: TeamStore; commit: (items: readonly WriteItem[]) => Promise<void> },
  key: KeyRecord,
  read: () => Promise<Team>,
  change: (team: Team) => Team,
): Promise<Team> {
  for (let attempt = 1; attempt <= CHANGE_ATTEMPTS; attempt++) {
    const before = await read();
    const after = change(before);
    try {
      await commit(teams.changeItems(before, after));
      return after;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // Where the team itself is as it was read, the reservation stood in the way.
      if (!error.items.has(0) && error.items.has(2)) refuseTaken(error.items.get(2), key);
    }
  }
  throw new Conflict("The team is being changed by others; try again.");
}

/** The team in whatever state. @throws NotFound when the organisation has none with this id. */
export async function requireTeamInAnyState(teams: TeamStore, path: { org_id: string; team_id: string }) {
  const team = await teams.getAnyState(path.team_id);
  if (team?.org_id !== path.org_id) throw new NotFound("There is no team with this id.");
  return team;
}
