import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts, labTests } from "../../lib/contract/resources.ts";
import { noFields, pageQuery } from "../../lib/contract/shared-schemas.ts";
import { toMarkerPage } from "../../lib/domain/lab-tests/marker-page.ts";
import { orderSet, orderSetMarkers } from "../../lib/domain/lab-tests/order-set.ts";
import { isProblemList } from "../../lib/domain/lab-tests/select-markers.ts";
import { markerPage } from "../../lib/domain/lab-tests/wire-markers.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { resolveAccountLab } from "../../lib/services/lab-tests/lab-accounts.ts";
import { loadLabCatalogue, toValidationFailed } from "../../lib/services/lab-tests/lab-catalogue.ts";
import { requireLabTest } from "../../lib/services/lab-tests/lab-tests.ts";

export const contract = endpoint({
  operationId: "getMarkersForOrderSet",
  method: "POST",
  path: "/v3/lab_tests/list_order_set_markers",
  tag: "lab-tests",
  summary: "List the markers of an order set",
  description: [
    "Lists the distinct markers that an order set contains, without placing an order.",
    "Call it before `POST /v3/order` to collect the answers to the questions of all markers.",
    "Markers of the lab tests come first, then add-ons; reflex markers are not part of the list.",
    "A `lab_account_id` keeps only markers of its lab; an add-on of another lab returns 422, as an unknown one does.",
    "The list may span several labs; an order then rejects the set.",
    "Pages are numbered, with 50 markers by default and at most 100.",
  ],
  auth: "team",
  params: noFields,
  query: z.object(pageQuery),
  body: orderSet,
  response: markerPage,
  errors: [NotFound],
  access: [getItem(labTests), queryItems(labAccounts)],
});

export const handler = implement(contract, async ({ scope, team, query, body }, { labTests, labAccounts }) => {
  const accountLab = await resolveAccountLab(labAccounts, team, body.lab_account_id);
  const ids = [...new Set(body.lab_test_ids)];
  const tests = await Promise.all(ids.map((id) => requireLabTest(labTests, scope, id)));
  const markers = orderSetMarkers(body, tests, await loadLabCatalogue(), accountLab);
  if (isProblemList(markers)) throw toValidationFailed(markers);
  return toMarkerPage(markers, query);
});
