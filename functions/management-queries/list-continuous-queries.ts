import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { continuousQueries, teams } from "../../lib/contract/resources.ts";
import { continuousQuery } from "../../lib/domain/queries/continuous/continuous-query.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { takePageItems } from "../../lib/runtime/http/answer-size.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { positionText } from "../../lib/store/cursor.ts";

/** Maximum number of queries in one response. */
const PAGE = 50;

export const contract = endpoint({
  operationId: "listContinuousQueries",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/continuous_query",
  tag: "management-queries",
  summary: "List continuous queries",
  description: [
    "Lists the continuous queries of a team in the order of their slugs, with up to 50 in a page.",
    "Archived queries are in the list, with the status `archived`.",
    "Pass `next_cursor` for the next page; null marks the last one.",
  ],
  auth: "management",
  params: teamParams,
  query: z.object({
    next_cursor: z.string().max(2_000).optional().describe("From the response for the previous page"),
  }),
  response: z
    .object({ data: z.array(continuousQuery), next_cursor: z.string().nullable() })
    .meta({ id: "ContinuousQueryPage" }),
  errors: [NotFound],
  access: [getItem(teams), queryItems(continuousQueries)],
});

export const handler = implement(contract, async ({ key, params, query, pages }, { teams, continuousQueries }) => {
  const scope = await requireTeamScope(teams, { key, params });
  const { next_cursor } = query;
  const after = pages.read(next_cursor, z.tuple([positionText]));
  const { items, lastKey } = await continuousQueries.list(scope, after?.[0], PAGE);
  const data = takePageItems(items);
  const last = data.at(-1);
  const isMore = lastKey || data.length < items.length;
  return { data, next_cursor: isMore && last ? pages.write([last.slug]) : null };
});
