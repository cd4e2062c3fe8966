import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { aggregationQuery } from "../../lib/domain/queries/aggregation-query.ts";
import { validatedQuery } from "../../lib/domain/queries/continuous/continuous-query.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireValidContinuousQuery } from "../../lib/services/queries/require-continuous-query.ts";

export const contract = endpoint({
  operationId: "validateContinuousQuery",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/validate_continuous_query",
  tag: "management-queries",
  summary: "Validate a continuous query",
  description: [
    "Checks the query of a continuous query without creating it.",
    "A valid query returns the types of its result columns and the resources on which it depends.",
    "An invalid one returns `validation_failed` with all its problems, as its creation would.",
    "`fhir_observation_previews` is always null.",
  ],
  auth: "management",
  params: teamParams,
  query: noFields,
  body: z.object({ query: aggregationQuery }),
  response: validatedQuery,
  errors: [NotFound],
  access: [getItem(teams)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams }) => {
  await requireTeamScope(teams, { key, params });
  return { ...requireValidContinuousQuery(body.query), fhir_observation_previews: null };
});
