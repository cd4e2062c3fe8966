import * as z from "zod";
import { batchGetItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { connectionCredentials, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { bulkTarget } from "../../lib/domain/connections/bulk-op.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { inParallel } from "../../lib/runtime/in-parallel.ts";
import { pauseConnection } from "../../lib/services/connections/pause-connection.ts";

export const contract = endpoint({
  operationId: "bulkPause",
  method: "POST",
  path: "/v2/link/bulk_pause",
  tag: "link",
  summary: "Pause connections",
  description: [
    "Pauses the connections of up to 500 users: the service pulls nothing and renews no access.",
    "A paused connection works again only after its user connects again.",
    "It takes effect before the answer; pausing a paused connection succeeds and sends no event.",
    "A connection that does not work, or whose access is being renewed, appears in `user_ids_failed`: try it again.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: bulkTarget,
  response: z
    .object({ user_ids_paused: z.array(z.guid()), user_ids_failed: z.array(z.guid()) })
    .meta({ id: "BulkPause" }),
  access: [batchGetItem(users), updateItem(users), updateItem(connectionCredentials)],
});

export const handler = implement(contract, async ({ scope, body: { user_ids, provider } }, deps) => {
  const requestedIds = [...new Set(user_ids)];
  const found = await deps.users.getMany(scope, requestedIds);
  const paused = await inParallel(found, async (user) =>
    (await pauseConnection(deps, scope, user, provider)) ? [user.user_id] : [],
  );
  const user_ids_paused = paused.flat();
  return { user_ids_paused, user_ids_failed: requestedIds.filter((userId) => !user_ids_paused.includes(userId)) };
});
