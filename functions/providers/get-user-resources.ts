import * as z from "zod";
import { getMany, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { connectionPolls, deliveredData, historicalPulls, users } from "../../lib/contract/resources.ts";
import { introspectionQuery, resourcesOf, wireUserResources } from "../../lib/domain/linking/wire-introspection.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { introspect } from "../../lib/runtime/linking/introspecting.ts";

/** Lists what each resource of users delivered, and when it was last requested. */
export const contract = endpoint({
  operationId: "getUserResources",
  method: "GET",
  path: "/v2/introspect/resources",
  tag: "providers",
  summary: "List the resource statistics of users",
  auth: "team",
  params: nothing,
  query: introspectionQuery,
  response: z
    .object({ data: z.array(wireUserResources), next: z.string().nullable(), next_cursor: z.string().nullable() })
    .meta({ id: "UserResourcesPage" }),
  access: [
    ...([query(users, "team_users"), getMany(users), query(connectionPolls)] as const),
    ...([query(historicalPulls), query(deliveredData)] as const),
  ],
});

export const handler = implement(contract, async ({ scope, query: asked, pages }, uses) =>
  introspect(uses.users, scope, asked, pages, async ({ user_id }) => {
    const [polls, histories, delivered] = await Promise.all([
      uses.connectionPolls.list(scope, user_id),
      uses.historicalPulls.list(scope, user_id),
      uses.deliveredData.list(scope, user_id),
    ]);
    const all = Object.entries(resourcesOf({ polls, histories, delivered }));
    const wanted = all.filter(([slug]) => asked.provider === undefined || slug === asked.provider);
    return { user_id, provider: Object.fromEntries(wanted) };
  }),
);
