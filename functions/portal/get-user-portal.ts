import * as z from "zod";
import { batchGetItem, getItem, queryItems, updateItem } from "../../lib/contract/access.ts";
import { credentialParentAccess, endpoint } from "../../lib/contract/endpoint.ts";
import { orders, usage, userPortalLinks } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toPatientView } from "../../lib/domain/orders/patient-view.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { openUserPortal } from "../../lib/services/portal/open-user-portal.ts";
import { renderInvalidLink, renderUserPage } from "../../lib/services/portal/user-page.ts";

export const contract = endpoint({
  operationId: "getUserPortal",
  method: "GET",
  path: "/v2/portal/user",
  tag: "portal",
  summary: "Retrieve the user portal",
  description: [
    "Returns the page that shows a user the status of their 100 newest orders.",
    "Send a browser there with the address of `POST /v2/user/{user_id}/create_portal_url`.",
    "A link with the context `communications` shows neither tests nor results.",
    "An invalid or expired link, and one of a deleted user or key, gets a page that says so.",
  ],
  auth: "none",
  params: noFields,
  query: z.object({
    team_id: z.guid().toLowerCase(),
    user_id: z.guid().toLowerCase(),
    token: z.string().min(1).max(100).describe("Secret of the link"),
  }),
  response: z.string().meta({ description: "HTML page", mediaType: "text/html" }),
  access: [
    getItem(userPortalLinks),
    ...credentialParentAccess,
    queryItems(orders),
    batchGetItem(orders),
    updateItem(usage),
  ],
});

/** Maximum number of orders on the page. */
const MAX_ORDERS = 100;

export const handler = implement(contract, async ({ query }, deps) => {
  const opened = await openUserPortal(query, deps);
  if (!opened) return renderInvalidLink();
  const { scope, team, isPrivate } = opened;
  const found = await deps.orders.getMany(scope, await deps.orders.listIdsByUser(scope, query.user_id));
  const newest = found.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1)).slice(0, MAX_ORDERS);
  return renderUserPage({
    teamName: team.settings.brand_information?.company_name ?? team.name,
    isSandbox: deployment().environment === "sandbox",
    orders: newest.map((order) => toPatientView(order, isPrivate)),
  });
});
