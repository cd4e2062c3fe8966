import * as z from "zod";
import { get } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { teams } from "../../lib/contract/resources.ts";
import { aggregationQuery } from "../../lib/domain/aggregation/query.ts";
import { validatedQuery } from "../../lib/domain/continuous-queries/continuous-query.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/team-path.ts";
import { requireContinuous } from "../../lib/runtime/team-queries.ts";

/** Validates a continuous query without creating it. Returns its columns and dependencies, or its errors. */
export const contract = endpoint({
  operationId: "validateContinuousQuery",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/validate_continuous_query",
  tag: "management-queries",
  summary: "Validate a continuous query",
  auth: "management",
  params: teamParams,
  query: nothing,
  body: z.object({ query: aggregationQuery }),
  response: validatedQuery,
  errors: [NotFound],
  access: [get(teams)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams }) => {
  await requireTeamScope(teams, { key, params });
  return { ...requireContinuous(body.query), fhir_observation_previews: null };
});
