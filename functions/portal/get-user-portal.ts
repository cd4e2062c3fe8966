import * as z from "zod";
import { get, getMany, query, update } from "../../lib/contract/access.ts";
import { endpoint, parentAccess } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { orders, usage, userPortalLinks } from "../../lib/contract/resources.ts";
import { patientViewOf } from "../../lib/domain/orders/patient-view.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { openUserPortal } from "../../lib/runtime/user-portal/opening.ts";
import { deadLink, userPage } from "../../lib/runtime/user-portal/page.ts";

/** Returns the page that shows a user the status of their orders. Requires a valid link to the user portal. */
export const contract = endpoint({
  operationId: "getUserPortal",
  method: "GET",
  path: "/v2/portal/user",
  tag: "portal",
  summary: "Retrieve the user portal",
  auth: "none",
  params: nothing,
  query: z.object({
    team_id: z.guid().toLowerCase(),
    user_id: z.guid().toLowerCase(),
    token: z.string().min(1).max(100),
  }),
  response: z.string().meta({ description: "HTML page", mediaType: "text/html" }),
  access: [get(userPortalLinks), ...parentAccess, query(orders), getMany(orders), update(usage)],
});

/** Maximum number of orders on the page. */
const SHOWN = 100;

export const handler = implement(contract, async ({ query }, uses) => {
  const opened = await openUserPortal(query, uses);
  if (!opened) return deadLink();
  const { scope, team, isPrivate } = opened;
  const found = await uses.orders.getMany(scope, await uses.orders.idsOf(scope, query.user_id));
  const newest = found.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1)).slice(0, SHOWN);
  return userPage({
    teamName: team.settings.brand_information?.company_name ?? team.name,
    isSandbox: deployment().environment === "sandbox",
    orders: newest.map((order) => patientViewOf(order, isPrivate)),
  });
});
