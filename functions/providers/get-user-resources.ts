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

/** Lists what each resource of users delivered, and when it was last requested. */
export const contract = endpoint({
  operationId: "getUserResources",
  method: "GET",
  path: "/v2/introspect/resources",
  tag: "providers",
  summary: "List the resource statistics of users",
  auth: "team",
  params: noFields,
  query: introspectionQuery,
  response: z
    .object({ data: z.array(wireUserResources), next: z.string().nullable(), next_cursor: z.string().nullable() })
    .meta({ id: "UserResourcesPage" }),
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
    const selected = all.filter(([slug]) => filter.provider === undefined || slug === filter.provider);
    return { user_id, provider: Object.fromEntries(selected) };
  }),
);
