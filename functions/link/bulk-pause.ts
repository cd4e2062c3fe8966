import * as z from "zod";
import { batchGetItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { connectionCredentials, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { bulkTarget } from "../../lib/domain/connections/bulk-op.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { inParallel } from "../../lib/runtime/in-parallel.ts";
import { pauseConnection } from "../../lib/services/connections/pause-connection.ts";

/** Pauses the connections of many users. Until a user reconnects, nothing is pulled and no token is refreshed. */
export const contract = endpoint({
  operationId: "bulkPause",
  method: "POST",
  path: "/v2/link/bulk_pause",
  tag: "link",
  summary: "Pause connections",
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
