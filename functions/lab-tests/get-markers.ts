import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts } from "../../lib/contract/resources.ts";
import { noFields, pageQuery, queryBoolean } from "../../lib/contract/shared-schemas.ts";
import { findLab, knownLab, knownLabId } from "../../lib/domain/lab-tests/labs.ts";
import { toMarkerPage } from "../../lib/domain/lab-tests/marker-page.ts";
import { markerPage } from "../../lib/domain/lab-tests/wire-markers.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { resolveAccountLab } from "../../lib/services/lab-tests/lab-accounts.ts";
import { loadLabCatalogue } from "../../lib/services/lab-tests/lab-catalogue.ts";

export const contract = endpoint({
  operationId: "getMarkers",
  method: "GET",
  path: "/v3/lab_tests/markers",
  tag: "lab-tests",
  summary: "List markers",
  description: [
    "Lists the markers that labs offer: each is one test at one lab, under the lab's own test code.",
    "`name` searches names and test codes, tolerates typos, and sorts by relevance.",
    "Prices come only with `include_pricing`, in US cents.",
    "Pages are numbered, with 50 markers by default and at most 100; a page after the last one is empty.",
    "`lab_slug` takes precedence over `lab_id`, and an unknown lab returns `validation_failed`.",
    "An unknown `lab_account_id` returns `not_found`, and a suspended account has no markers.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({
    lab_id: z.array(knownLabId).nullish(),
    lab_slug: knownLab.nullish(),
    name: z.string().max(200).default("").describe("Name or test code; tolerates typos"),
    a_la_carte_enabled: queryBoolean.optional().describe("Whether the marker can be ordered on its own"),
    include_pricing: queryBoolean.default(false).describe("Whether `pricing` is set"),
    lab_account_id: z.guid().toLowerCase().nullish().describe("Lab account to whose lab the response is limited"),
    ...pageQuery,
  }),
  response: markerPage,
  errors: [NotFound],
  access: [queryItems(labAccounts)],
});

export const handler = implement(contract, async ({ team, query }, { labAccounts }) => {
  const accountLab = await resolveAccountLab(labAccounts, team, query.lab_account_id);
  const requestedLabIds = query.lab_slug ? [findLab(query.lab_slug)?.id ?? 0] : query.lab_id;
  const available = accountLab === undefined ? undefined : new Set([findLab(accountLab ?? "")?.id ?? 0]);
  const labIds = requestedLabIds ? new Set(requestedLabIds.filter((id) => available?.has(id) !== false)) : available;
  const catalogue = await loadLabCatalogue();
  const markers = catalogue.find({ labIds, name: query.name, aLaCarte: query.a_la_carte_enabled });
  return toMarkerPage(markers, query, query.include_pricing);
});
