import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireOverview } from "../../lib/domain/console/overview.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readOverview, readOverviewAccess } from "../../lib/services/console/read-overview.ts";

export const contract = endpoint({
  operationId: "getOverview",
  method: "GET",
  path: "/console/overview",
  tag: "console",
  summary: "Retrieve the overview of a team",
  description: [
    "Returns counts of a team at a glance: usage and estimated cost, deliveries of the last 24 hours, and webhook endpoints.",
    "The service reads existing counters, so the price of a call does not grow with the number of users.",
    "It counts neither connections nor orders: `GET /v2/user/metrics` counts them, and reads every user.",
    "The answer holds counts only, so every role of the console may read it, and the access log has no entry.",
  ],
  auth: "team",
  answersCountsOnly: true,
  params: noFields,
  query: noFields,
  response: wireOverview,
  access: readOverviewAccess,
});

export const handler = implement(contract, ({ scope }, deps) => readOverview(deps, scope));
