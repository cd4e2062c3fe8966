import * as z from "zod";
import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { teamLimits, toWireTeamLimits, wireTeamLimits } from "../../lib/domain/usage/team-limits.ts";
import { requireTeam } from "../../lib/runtime/callers/management-access.ts";
import { defaultLimits } from "../../lib/runtime/deployment.ts";
import { Conflict, Forbidden, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "setTeamLimits",
  method: "PUT",
  path: "/v1/org/{org_id}/team/{team_id}/limits",
  tag: "management",
  summary: "Set the limits of a team",
  description: [
    "Sets the limits of a team for requests per second, work units per second and users.",
    "It replaces all three: an absent or null limit returns to the default of the deployment.",
    "The change takes effect within a minute. A lower limit for users removes nobody, but stops new users.",
    "Only an `org_admin` key can set limits, so that a team cannot raise its own.",
    "A concurrent change of the team returns `conflict`: repeat the call.",
  ],
  auth: "management",
  // A team must not raise its own limits.
  scope: "org",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: noFields,
  body: teamLimits.strict(),
  response: wireTeamLimits,
  errors: [Forbidden, NotFound, Conflict],
  access: [getItem(teams), putItem(teams)],
});

export const handler = implement(contract, async ({ key, params, body: limits }, { teams, commit }) => {
  const team = await requireTeam(teams, key, params.org_id, params.team_id);
  await explainConditionFailed(
    commit(teams.updateItems(team, { ...team, limits })),
    () => new Conflict("The team changed at the same time. Try again."),
  );
  return toWireTeamLimits(team.team_id, limits, defaultLimits());
});
