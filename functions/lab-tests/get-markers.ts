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

/** Lists orderable markers. `lab_slug` takes precedence over `lab_id`. */
export const contract = endpoint({
  operationId: "getMarkers",
  method: "GET",
  path: "/v3/lab_tests/markers",
  tag: "lab-tests",
  summary: "List markers",
  auth: "team",
  params: noFields,
  query: z.object({
    lab_id: z.array(knownLabId).nullish(),
    lab_slug: knownLab.nullish(),
    name: z.string().max(200).default(""),
    a_la_carte_enabled: queryBoolean.optional(),
    include_pricing: queryBoolean.default(false),
    lab_account_id: z.guid().toLowerCase().nullish(),
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
