import * as z from "zod";
import { query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, pageQuery, queryBoolean } from "../../lib/contract/parts.ts";
import { labAccounts } from "../../lib/contract/resources.ts";
import { knownLab, knownLabId, labOf } from "../../lib/domain/lab-tests/labs.ts";
import { toMarkerPage } from "../../lib/domain/lab-tests/marker-page.ts";
import { markerPage } from "../../lib/domain/lab-tests/wire-markers.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { labOfAccount } from "../../lib/runtime/lab-accounts.ts";
import { labCatalogue } from "../../lib/runtime/lab-catalogue.ts";

/** Lists orderable markers. `lab_slug` takes precedence over `lab_id`. */
export const contract = endpoint({
  operationId: "getMarkers",
  method: "GET",
  path: "/v3/lab_tests/markers",
  tag: "lab-tests",
  summary: "List markers",
  auth: "team",
  params: nothing,
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
  access: [query(labAccounts)],
});

export const handler = implement(contract, async ({ team, query }, { labAccounts }) => {
  const accountLab = await labOfAccount(labAccounts, team, query.lab_account_id);
  const asked = query.lab_slug ? [labOf(query.lab_slug)?.id ?? 0] : query.lab_id;
  const available = accountLab === undefined ? undefined : new Set([labOf(accountLab ?? "")?.id ?? 0]);
  const labIds = asked ? new Set(asked.filter((id) => available?.has(id) !== false)) : available;
  const catalogue = await labCatalogue();
  const markers = catalogue.find({ labIds, name: query.name, aLaCarte: query.a_la_carte_enabled });
  return toMarkerPage(markers, query, query.include_pricing);
});
