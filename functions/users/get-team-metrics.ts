import { batchGetItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { orders, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { teamMetrics, wireTeamMetrics } from "../../lib/domain/management/team-metrics.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getTeamMetrics",
  method: "GET",
  path: "/v2/user/metrics",
  tag: "users",
  summary: "Retrieve team metrics",
  description: [
    "Returns the current numbers of users, connections and ordered tests of your team.",
    "Users in the grace period of their deletion do not count, and neither do their orders.",
    "Connections count in every state, paused and failing ones included.",
    "The list by week starts a week on Monday, UTC, and leaves out weeks without a new connection.",
    "The service counts at each call and reads every user and order, so call it rarely.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  response: wireTeamMetrics,
  access: [queryItems(users, "team_users"), batchGetItem(users), queryItems(orders, "team_orders")],
});

export const handler = implement(contract, async ({ scope }, { users, orders }) => {
  const [found, listed] = await Promise.all([
    users.listIds(scope).then((ids) => users.getMany(scope, ids)),
    orders.list(scope, {}),
  ]);
  const active = new Set(found.map(({ user_id }) => user_id));
  const ordered = listed.filter(({ user_id }) => active.has(user_id));
  return teamMetrics(scope.teamId, found, ordered.length);
});
