import * as z from "zod";
import { batchGetItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { connectionPolls, deliveredData, historicalPulls, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import {
  introspectionQuery,
  toWireResources,
  wireUserResources,
} from "../../lib/domain/connections/pulls/wire-introspection.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { introspectUsers } from "../../lib/services/connections/introspect-users.ts";

export const contract = endpoint({
  operationId: "getUserResources",
  method: "GET",
  path: "/v2/introspect/resources",
  tag: "providers",
  summary: "List the resource statistics of users",
  description: [
    "Returns what each resource of a user's providers delivered, and when the service last requested it.",
    "Use it to find out why data is missing; for events of a single change, use webhooks instead.",
    "`sent_count` counts delivered records with repetitions, so it can exceed the number of stored ones.",
    "`last_attempt` is null if the service never requested the resource, such as data from a phone.",
    "Users are in the order of their ids, 50 a page unless `user_limit` says otherwise, at most 100.",
    "An unknown `user_id` gives an empty list.",
  ],
  auth: "team",
  params: noFields,
  query: introspectionQuery,
  response: z
    .object({ data: z.array(wireUserResources), next: z.string().nullable(), next_cursor: z.string().nullable() })
    .meta({ id: "UserResourcesPage" }),
  agentTool: {
    name: "list_resources",
    description: [
      "Lists the resources that each provider of a user delivered, with the times of the oldest and newest data.",
      "Call it first to learn which data exists and for which time.",
    ],
    reach: "user",
    shortening: { kind: "list", of: "data" },
    rest: "Call again with `user_id` and `provider`, or with the `next_cursor` of a smaller `user_limit`.",
  },
  access: [
    queryItems(users, "team_users"),
    batchGetItem(users),
    queryItems(connectionPolls),
    queryItems(historicalPulls),
    queryItems(deliveredData),
  ],
});

export const handler = implement(contract, async ({ scope, query: filter, pages }, deps) =>
  introspectUsers(deps.users, scope, filter, pages, async ({ user_id }) => {
    const [polls, histories, delivered] = await Promise.all([
      deps.connectionPolls.list(scope, user_id),
      deps.historicalPulls.list(scope, user_id),
      deps.deliveredData.list(scope, user_id),
    ]);
    const all = Object.entries(toWireResources({ polls, histories, delivered }));
    const selected = all.filter(([slug]) => filter.provider === "" || slug === filter.provider);
    return { user_id, provider: Object.fromEntries(selected) };
  }),
);
