import * as z from "zod";
import { get, put } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { scopeRequirements, teams } from "../../lib/contract/resources.ts";
import {
  changeRequirements,
  scopeRequirementsPatch,
  toWireScopeRequirements,
  wireScopeRequirements,
} from "../../lib/domain/sources/scope-requirements.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScopes } from "../../lib/runtime/team-provider-settings.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/** Sets, by provider, the scopes that users must or may grant to a team. Applies to later connections. */
export const contract = endpoint({
  operationId: "setScopeRequirements",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/scope_requirements",
  tag: "management-providers",
  summary: "Set the scope requirements of a team",
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: nothing,
  body: scopeRequirementsPatch,
  response: wireScopeRequirements,
  errors: [NotFound, Conflict],
  access: [get(teams), get(scopeRequirements), put(scopeRequirements)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, scopeRequirements }) => {
  const [scope] = await requireTeamScopes(teams, { key, params }, [params.team_id]);
  const before = await scopeRequirements.get(scope);
  const providers = changeRequirements(before.providers, body);
  try {
    await scopeRequirements.set(scope, providers, before);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Conflict("The requirements changed at the same time. Try again.", { cause: error });
  }
  return toWireScopeRequirements(scope.teamId, providers);
});
