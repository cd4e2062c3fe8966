import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, pageQuery } from "../../lib/contract/parts.ts";
import { labAccounts, labTests } from "../../lib/contract/resources.ts";
import { isProblems } from "../../lib/domain/lab-tests/chosen-markers.ts";
import { toMarkerPage } from "../../lib/domain/lab-tests/marker-page.ts";
import { orderSet, orderSetMarkers } from "../../lib/domain/lab-tests/order-set.ts";
import { markerPage } from "../../lib/domain/lab-tests/wire-markers.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { labOfAccount } from "../../lib/runtime/lab-accounts.ts";
import { labCatalogue, refuse } from "../../lib/runtime/lab-catalogue.ts";
import { requireLabTest } from "../../lib/runtime/lab-tests.ts";

/** Lists the markers that an order set would contain. */
export const contract = endpoint({
  operationId: "getMarkersForOrderSet",
  method: "POST",
  path: "/v3/lab_tests/list_order_set_markers",
  tag: "lab-tests",
  summary: "List the markers of an order set",
  auth: "team",
  params: nothing,
  query: z.object(pageQuery),
  body: orderSet,
  response: markerPage,
  errors: [NotFound],
  access: [get(labTests), query(labAccounts)],
});

export const handler = implement(contract, async ({ scope, team, query, body }, { labTests, labAccounts }) => {
  const accountLab = await labOfAccount(labAccounts, team, body.lab_account_id);
  const ids = [...new Set(body.lab_test_ids)];
  const tests = await Promise.all(ids.map((id) => requireLabTest(labTests, scope, id)));
  const markers = orderSetMarkers(body, tests, await labCatalogue(), accountLab);
  if (isProblems(markers)) throw refuse(markers);
  return toMarkerPage(markers, query);
});
