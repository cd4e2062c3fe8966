import * as z from "zod";
import { batchGetItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { connectionHealth, users } from "../../lib/contract/resources.ts";
import { noFields, queryInteger } from "../../lib/contract/shared-schemas.ts";
import { wireStaleConnection } from "../../lib/domain/connections/health/wire-staleness.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listStaleConnections } from "../../lib/services/connections/health/list-stale-connections.ts";

export const contract = endpoint({
  operationId: "listStaleConnections",
  method: "GET",
  path: "/v2/introspect/stale_connections",
  tag: "providers",
  summary: "List the stale connections of a team",
  description: [
    "Returns the connections whose data is missing although they work, the longest stale first.",
    "`silent` means that nothing arrives any more, for example because the user removed the app.",
    "`pushes_lost` means that the service finds data by its own requests, which the provider should have announced.",
    "A connection leaves the list when its data arrives again, and when it ends, pauses or fails.",
    "The events `provider.connection.stale` and `provider.connection.recovered` tell the same changes.",
    "A page may be short although a cursor follows.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({
    limit: queryInteger(1, 100).default(50).describe("Maximum number of connections in a page"),
    next_cursor: z.string().max(2_000).optional().describe("Cursor of the page to return"),
  }),
  response: z
    .object({ connections: z.array(wireStaleConnection), next_cursor: z.string().nullable() })
    .meta({ id: "StaleConnectionsPage" }),
  access: [queryItems(connectionHealth, "team_users"), batchGetItem(users)],
});

export const handler = implement(contract, async ({ scope, query, pages }, deps) =>
  listStaleConnections(deps, scope, query, pages),
);
