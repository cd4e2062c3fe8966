import * as z from "zod";
import { getItem, putItem, queryItems, sendMessage } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { connectionPulls } from "../../lib/contract/queues.ts";
import { connectionPolls, users } from "../../lib/contract/resources.ts";
import { queryInteger, userParams } from "../../lib/contract/shared-schemas.ts";
import { MAX_REFRESHES_PER_WINDOW } from "../../lib/domain/connections/pulls/connection-poll.ts";
import { TooManyRequests, UserNotFound } from "../../lib/runtime/errors.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { refreshUser } from "../../lib/services/connections/pulls/refresh-user.ts";

/** Maximum wait for the pulls, because API Gateway ends longer requests. */
const MAX_WAIT_S = 25;
const sources = z.array(z.string()).describe("Provider slugs");

export const contract = endpoint({
  operationId: "refreshUser",
  method: "POST",
  path: "/v2/user/refresh/{user_id}",
  tag: "users",
  summary: "Refresh the data of a user",
  description: [
    "Pulls the newest data of a user from all connected providers now, instead of at the next scheduled time.",
    "The call waits for the pulls and answers 202 if some are still in progress after `timeout`.",
    "A pull in progress continues, and the call waits for it instead of starting a second one.",
    "New and changed data sends `daily.data.<resource>.created` and `.updated` after it is stored.",
    "A user can be refreshed 8 times an hour; beyond that the answer is `too_many_requests` with `Retry-After`.",
    "Connections of phones and logins do not appear, because the service cannot pull them.",
    "Failing connections appear in `failed_sources`.",
  ],
  auth: "team",
  keyScope: "ingest",
  params: userParams,
  query: z.object({
    timeout: queryInteger(5, 60).default(MAX_WAIT_S).describe("Seconds to wait. Values above 25 count as 25"),
  }),
  response: z
    .object({
      success: z.boolean(),
      user_id: z.guid(),
      refreshed_sources: sources,
      in_progress_sources: sources,
      failed_sources: sources,
    })
    .meta({ id: "UserRefresh" }),
  errors: [UserNotFound],
  access: [
    getItem(users),
    queryItems(connectionPolls),
    getItem(connectionPolls),
    putItem(connectionPolls),
    sendMessage(connectionPulls),
  ],
});

export const handler = implement(contract, async ({ scope, params: { user_id }, query }, deps) => {
  const user = await deps.users.get(scope, user_id);
  if (!user) throw new UserNotFound();
  const now = ports().clock.now();
  const roomAtMs = await deps.connectionPolls.reserveRefresh(scope, user_id, now);
  if (roomAtMs !== undefined) {
    const headers = { "retry-after": String(Math.ceil((roomAtMs - now) / 1000)) };
    throw new TooManyRequests(`You can refresh a user ${MAX_REFRESHES_PER_WINDOW} times an hour.`, { headers });
  }
  const waitMs = Math.min(query.timeout, MAX_WAIT_S) * 1000;
  const { refreshed, inProgress, failed } = await refreshUser(deps, scope, user, waitMs);
  const answer = { success: true, user_id, refreshed_sources: refreshed, failed_sources: failed };
  const body = { ...answer, in_progress_sources: inProgress };
  return inProgress.length === 0 ? body : new Answer(JSON.stringify(body), { status: 202 });
});
