import * as z from "zod";
import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { scopeRequirements, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import {
  patchScopeRequirements,
  scopeRequirementsPatch,
  toWireScopeRequirements,
  wireScopeRequirements,
} from "../../lib/domain/connections/providers/scope-requirements.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScopes } from "../../lib/services/management/team-scopes.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "setScopeRequirements",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/scope_requirements",
  tag: "management-providers",
  summary: "Set the scope requirements of a team",
  description: [
    "Sets the scopes that users must or may grant to a team, for each provider in the request.",
    "Null removes the requirements of a provider, and an absent provider stays as it is.",
    "It applies to later connections; existing ones stay as they are.",
    "A scope is either required or optional: one that is both returns 422.",
    "A concurrent change returns `conflict`: repeat the call.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: noFields,
  body: scopeRequirementsPatch,
  response: wireScopeRequirements,
  errors: [NotFound, Conflict],
  access: [getItem(teams), getItem(scopeRequirements), putItem(scopeRequirements)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, scopeRequirements }) => {
  const [scope] = await requireTeamScopes(teams, { key, params }, [params.team_id]);
  const before = await scopeRequirements.get(scope);
  const providers = patchScopeRequirements(before.providers, body);
  await explainConditionFailed(
    scopeRequirements.replace(scope, providers, before),
    (cause) => new Conflict("The requirements changed at the same time. Try again.", { cause }),
  );
  return toWireScopeRequirements(scope.teamId, providers);
});
