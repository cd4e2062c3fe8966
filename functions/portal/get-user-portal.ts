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

/** Returns the page that shows a user the status of their orders. Requires a valid link to the user portal. */
export const contract = endpoint({
  operationId: "getUserPortal",
  method: "GET",
  path: "/v2/portal/user",
  tag: "portal",
  summary: "Retrieve the user portal",
  auth: "none",
  params: noFields,
  query: z.object({
    team_id: z.guid().toLowerCase(),
    user_id: z.guid().toLowerCase(),
    token: z.string().min(1).max(100),
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
