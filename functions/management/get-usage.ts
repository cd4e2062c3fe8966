import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { eventFeed, teams, usage } from "../../lib/contract/resources.ts";
import { prices } from "../../lib/domain/usage/prices.ts";
import { toUsageDays, usageDay } from "../../lib/domain/usage/usage-day.ts";
import { calendarDate } from "../../lib/domain/users/user.ts";
import { requireOrgAdmin, requireTeam } from "../../lib/runtime/callers/management-access.ts";
import { Forbidden, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { listUsageDays } from "../../lib/services/usage/list-usage-days.ts";
import { resolveUsageRange } from "../../lib/services/usage/usage-range.ts";
import { positionText } from "../../lib/store/cursor.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Maximum number of teams in one response; each has up to one row per day. */
const PAGE = 25;

export const contract = endpoint({
  operationId: "getUsage",
  method: "GET",
  path: "/v1/org/{org_id}/usage",
  tag: "management",
  summary: "Retrieve the usage and estimated cost of teams",
  description: [
    "Returns the usage of teams and its estimated cost, as one row for each team and UTC day.",
    "Days without usage or stored data have no row, and future days are left out.",
    "A request covers at most 93 days; `end_date` defaults to today.",
    "Without `team_id`, pages have 25 teams each, and the key must be an `org_admin` key.",
    "`next_cursor` is null on the last page. The row of the current day still grows.",
    "`prices` names the region and date of the prices on which the estimate is based.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  scope: "team",
  params: z.object({ org_id: z.guid().toLowerCase() }),
  query: z.object({
    start_date: calendarDate,
    end_date: calendarDate.optional().meta({ description: "Default: today" }),
    team_id: z.guid().toLowerCase().optional().meta({ description: "Default: all teams" }),
    next_cursor: z.string().max(2_000).optional().describe("From the response for the previous page"),
  }),
  response: z
    .object({
      prices: z.object({ region: z.string(), date: calendarDate, currency: z.string() }),
      usage: z.array(usageDay),
      next_cursor: z.string().nullable(),
    })
    .meta({ id: "UsagePage" }),
  errors: [Forbidden, NotFound],
  access: [getItem(teams), queryItems(teams), queryItems(usage), getItem(eventFeed)],
});

export const handler = implement(
  contract,
  async ({ key, params: { org_id }, query, pages }, { teams, usage, eventFeed }) => {
    const { team_id } = query;
    const range = resolveUsageRange(query, ports().clock.now());
    const after = pages.read(query.next_cursor, z.tuple([positionText]));
    if (team_id === undefined) requireOrgAdmin(key, org_id);
    const page =
      team_id === undefined
        ? await teams.list(org_id, after?.[0], PAGE)
        : { items: [{ ...(await requireTeam(teams, key, org_id, team_id)), sk: "" }], lastKey: undefined };
    const rows = page.items.map(async ({ team_id }) =>
      toUsageDays(team_id, await listUsageDays({ usage, eventFeed }, TeamScope.grant(team_id), range), range),
    );
    const { region, date, currency } = prices;
    const position = page.items.at(-1)?.sk;
    return {
      prices: { region, date, currency },
      usage: (await Promise.all(rows)).flat(),
      next_cursor: page.lastKey && position ? pages.write([position]) : null,
    };
  },
);
