import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { orders, userInfos, userPortalLinks, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { sha256 } from "../../lib/crypto/api-key.ts";
import { userPortalDraft, userPortalLinkLifetimeS, userPortalUrl } from "../../lib/domain/portal/user-portal-link.ts";
import { NotFound, UserNotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";
import { orderNotFound } from "../../lib/services/orders/change-order.ts";

export const contract = endpoint({
  operationId: "createPortalUrl",
  method: "POST",
  path: "/v2/user/{user_id}/create_portal_url",
  tag: "users",
  summary: "Create a link to the user portal",
  description: [
    "Returns a link to a page on which a user follows the status of their own orders.",
    "A link with the context `launch` is valid for 15 minutes and shows tests and how to read results.",
    "A link with the context `communications` is valid for 14 days and shows neither, as others may read messages.",
    "Everyone with the link sees the page, so send it only to its user.",
    "Each call creates a new link; earlier links stay valid until they expire.",
    "The user must have user info (`PATCH /v2/user/{user_id}/info`), otherwise the answer is `validation_failed`.",
    "An `order_id` of another user answers `not_found`.",
  ],
  auth: "team",
  keyScope: "labs",
  params: userParams,
  query: noFields,
  body: userPortalDraft,
  response: userPortalUrl,
  errors: [UserNotFound, NotFound],
  access: [getItem(users), getItem(userInfos), getItem(orders), putItem(userPortalLinks)],
});

export const handler = implement(contract, async ({ scope, keyId, params: { user_id }, body }, deps) => {
  const { context, order_id } = body;
  if (!(await deps.users.get(scope, user_id))) throw new UserNotFound();
  if (!(await deps.userInfos.get(scope, user_id))) {
    throw ValidationFailed.at(["path", "user_id"], "The user has no user info. Store it first");
  }
  const record = order_id ? await deps.orders.get(scope, order_id) : undefined;
  if (order_id && record?.order.user_id !== user_id) throw orderNotFound();
  const token = ports().ids.bytes(32).toString("base64url");
  const expires_in = userPortalLinkLifetimeS(context);
  const expires_at = Math.floor(ports().clock.now() / 1000) + expires_in;
  await deps.userPortalLinks.create(scope, user_id, sha256(token), {
    context,
    expires_at,
    key_id: keyId,
    made_at: isoNow(),
  });
  const query = new URLSearchParams({ team_id: scope.teamId, user_id, token });
  const anchor = order_id ? `#order-${order_id}` : "";
  return { url: `${baseUrl()}/v2/portal/user?${query}${anchor}`, expires_in };
});
