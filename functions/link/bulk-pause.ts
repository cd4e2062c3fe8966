import * as z from "zod";
import { pauseConnection } from "../../lib/connections/pausing.ts";
import { getMany, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { connectionCredentials, users } from "../../lib/contract/resources.ts";
import { bulkTarget } from "../../lib/domain/linking/bulk-op.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { inParallel } from "../../lib/runtime/storing.ts";

/** Pauses the connections of many users. Until a user reconnects, nothing is pulled and no token is refreshed. */
export const contract = endpoint({
  operationId: "bulkPause",
  method: "POST",
  path: "/v2/link/bulk_pause",
  tag: "link",
  summary: "Pause connections",
  auth: "team",
  params: nothing,
  query: nothing,
  body: bulkTarget,
  response: z
    .object({ user_ids_paused: z.array(z.guid()), user_ids_failed: z.array(z.guid()) })
    .meta({ id: "BulkPause" }),
  access: [getMany(users), update(users), update(connectionCredentials)],
});

export const handler = implement(contract, async ({ scope, body: { user_ids, provider } }, uses) => {
  const wanted = [...new Set(user_ids)];
  const found = await uses.users.getMany(scope, wanted);
  const paused = await inParallel(found, async (user) =>
    (await pauseConnection(uses, scope, user, provider)) ? [user.user_id] : [],
  );
  const user_ids_paused = paused.flat();
  return { user_ids_paused, user_ids_failed: wanted.filter((userId) => !user_ids_paused.includes(userId)) };
});
