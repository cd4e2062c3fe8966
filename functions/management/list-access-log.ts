import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { accessLog, teams } from "../../lib/contract/resources.ts";
import { utcInstant } from "../../lib/contract/shared-schemas.ts";
import { accessEntry } from "../../lib/domain/audit/access-entry.ts";
import { requireTeamScopeInAnyEnvironment, teamParams } from "../../lib/runtime/callers/team-path.ts";
import { Forbidden, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { MAX_ACCESS_LOG_DAYS, readAccessLogPage } from "../../lib/services/audit/access-log-page.ts";

export const contract = endpoint({
  operationId: "listAccessLog",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/access_log",
  tag: "management",
  summary: "List the access log of a team",
  description: [
    "Lists the calls of the main API and the work of the service that may have touched data of a team's users.",
    "The newest entry comes first, with up to 100 entries in a page.",
    "A request covers at most 31 days, which is also the default; the log goes back six years.",
    "With a `user_id`, only calls about this user are listed, also after the erasure of the user.",
    "A page may be short or empty while `next_cursor` is set: continue until it is null.",
    "No entry contains a value, a name or a body.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  params: teamParams.omit({ env: true }),
  query: z.object({
    start_at: utcInstant
      .optional()
      .meta({ description: `Start, inclusive. Default: ${MAX_ACCESS_LOG_DAYS} days before the end` }),
    end_at: utcInstant.optional().meta({ description: "End, exclusive. Default: now" }),
    user_id: z.guid().toLowerCase().optional().meta({ description: "Only calls about this user" }),
    next_cursor: z.string().max(2_000).optional().describe("From the response for the previous page"),
  }),
  response: z
    .object({ entries: z.array(accessEntry), next_cursor: z.string().nullable() })
    .meta({ id: "AccessLogPage" }),
  errors: [Forbidden, NotFound],
  access: [getItem(teams), queryItems(accessLog)],
});

export const handler = implement(contract, async ({ key, params, query, pages }, { teams, accessLog }) => {
  const scope = await requireTeamScopeInAnyEnvironment(teams, { key, params });
  return readAccessLogPage({ scope, ...query, pages }, accessLog);
});
