import * as z from "zod";
import { batchGetItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { users } from "../../lib/contract/resources.ts";
import { noFields, queryInteger } from "../../lib/contract/shared-schemas.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { positionText } from "../../lib/store/cursor.ts";
import { listPendingErasures } from "../../lib/store/erasure/pending-erasures.ts";

/** Maximum number of deletions in one response. */
const PAGE = 100;

const wireDeletion = z
  .object({
    user_id: z.guid(),
    client_user_id: z.string().meta({ phi: true }),
    requested_at: z.string().describe("When the team requested the deletion"),
    erase_at: z.string().describe("End of the grace period: until then `undo_delete` restores the user"),
  })
  .meta({ id: "PendingDeletion" });

export const contract = endpoint({
  operationId: "listDeletions",
  method: "GET",
  path: "/v2/user/deletions",
  tag: "users",
  summary: "List the deletions of users in their grace period",
  description: [
    "Lists the deleted users whose grace period runs, with up to 100 in a page. The next end comes first.",
    "Until `erase_at`, `POST /v2/user/undo_delete` restores a user. The exception is one whose `client_user_id` another user has had.",
    "The list has such users too. After `erase_at` the data of a user is erased.",
    "`GET /v2/user/erasure/{user_id}` then returns the certificate.",
    "A new deletion may appear a moment late. Deletions from before this list existed are not in it.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({
    limit: queryInteger(1, PAGE).default(PAGE),
    next_cursor: z.string().max(2_000).nullish().describe("From the response for the previous page"),
  }),
  response: z
    .object({ deletions: z.array(wireDeletion), next_cursor: z.string().nullable() })
    .meta({ id: "PendingDeletionPage" }),
  access: [queryItems(users, "team_users"), batchGetItem(users)],
});

export const handler = implement(contract, async ({ scope, query, pages }, { users }) => {
  const after = pages.read(query.next_cursor, z.tuple([positionText, positionText]));
  const { pending, last } = await listPendingErasures(users, scope, { after, limit: query.limit });
  const deletions = pending.map(({ user_id, client_user_id, deletion_requested_at = "", erase_at = "" }) => ({
    ...{ user_id, client_user_id, erase_at },
    requested_at: deletion_requested_at,
  }));
  return { deletions, next_cursor: last ? pages.write(last) : null };
});
