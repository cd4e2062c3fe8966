import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { continuousQueries, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { continuousQuery, continuousQueryDraft } from "../../lib/domain/queries/continuous/continuous-query.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/callers/team-path.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { requireValidContinuousQuery } from "../../lib/services/queries/require-continuous-query.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "createContinuousQuery",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/continuous_query",
  tag: "management-queries",
  summary: "Create a continuous query",
  description: [
    "Creates a continuous query: a stored query whose results for each user follow the data.",
    "The first computation for a user covers all data, and starts once new data of the user arrives.",
    "Later ones follow 10 seconds after new data, and at least `minimum_gap_duration_second` after the last one.",
    "The default gap is 30 minutes, which is also the minimum.",
    "The event `continuous_query.result_table.changed` reports changed rows, unless `data_events` are disabled.",
    "The query must group by one `date_trunc` and select every group key; otherwise the response lists all problems.",
    "The query cannot be changed later. The slug is reserved permanently, and a taken one returns `conflict`.",
    "Paths take a slug or an id, so a slug must not have the form of an id.",
  ],
  auth: "management",
  params: teamParams,
  query: noFields,
  body: continuousQueryDraft,
  response: continuousQuery,
  status: 201,
  errors: [NotFound, Conflict],
  access: [getItem(teams), putItem(continuousQueries)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, continuousQueries }) => {
  const scope = await requireTeamScope(teams, { key, params });
  const query = {
    ...body,
    ...requireValidContinuousQuery(body.query),
    id: ports().ids.uuid(),
    team_id: scope.teamId,
    status: "active" as const,
    scheduling_preferences: {
      minimum_gap_duration_second: body.scheduling_preferences.minimum_gap_duration_second ?? null,
    },
    fhir_observation_mappers: [],
  };
  await explainConditionFailed(
    continuousQueries.create(scope, query),
    (cause) => new Conflict("A continuous query with this slug already exists.", { cause }),
  );
  return query;
});
