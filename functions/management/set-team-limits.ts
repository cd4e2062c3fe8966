import * as z from "zod";
import { get, put } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { teams } from "../../lib/contract/resources.ts";
import { teamLimits, toWireLimits, wireLimits } from "../../lib/domain/team-limits.ts";
import { defaultLimits } from "../../lib/runtime/deployment.ts";
import { Conflict, Forbidden, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeam } from "../../lib/runtime/management.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/**
 * Sets the limits of a team and replaces former ones; null means the default of the deployment. Takes effect within a
 * minute.
 */
export const contract = endpoint({
  operationId: "setTeamLimits",
  method: "PUT",
  path: "/v1/org/{org_id}/team/{team_id}/limits",
  tag: "management",
  summary: "Set the limits of a team",
  auth: "management",
  // A team must not raise its own limits.
  scope: "org",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: nothing,
  body: teamLimits.strict(),
  response: wireLimits,
  errors: [Forbidden, NotFound, Conflict],
  access: [get(teams), put(teams)],
});

export const handler = implement(contract, async ({ key, params, body: limits }, { teams, commit }) => {
  const team = await requireTeam(teams, key, params.org_id, params.team_id);
  await commit(teams.changeItems(team, { ...team, limits })).catch((error) => {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Conflict("The team changed at the same time. Try again.");
  });
  return toWireLimits(team.team_id, limits, defaultLimits());
});
