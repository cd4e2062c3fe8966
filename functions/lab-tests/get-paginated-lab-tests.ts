import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts, labTests } from "../../lib/contract/resources.ts";
import { noFields, queryBoolean, queryInteger } from "../../lib/contract/shared-schemas.ts";
import { toLabTestPricing, toWireLabTest } from "../../lib/domain/lab-tests/lab-test.ts";
import {
  comparePositions,
  labTestFilter,
  labTestPosition,
  selectLabTests,
} from "../../lib/domain/lab-tests/lab-test-list.ts";
import { wireLabTest } from "../../lib/domain/lab-tests/wire-lab-test.ts";
import { labTestPricing } from "../../lib/domain/lab-tests/wire-markers.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { takePageItems } from "../../lib/runtime/http/answer-size.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { resolveAccountLab } from "../../lib/services/lab-tests/lab-accounts.ts";
import { loadLabCatalogue } from "../../lib/services/lab-tests/lab-catalogue.ts";
import { listTeamLabTests } from "../../lib/services/lab-tests/lab-tests.ts";
import { positionText } from "../../lib/store/cursor.ts";

export const contract = endpoint({
  operationId: "getPaginatedLabTests",
  method: "GET",
  path: "/v3/lab_test",
  tag: "lab-tests",
  summary: "List lab tests in pages",
  description: [
    "Lists the lab tests of the team page by page, with 50 by default and at most 100.",
    "Pass `next_cursor` with the same filters for the next page; null marks the last one.",
    "A page may have fewer lab tests than `lab_test_limit`, because a response has a maximum size.",
    "The oldest lab test comes first by default; equal sort keys are ordered by id.",
    "The list includes lab tests that an order set generated, unless `generation_method` is `manual`.",
    "In a sandbox, it includes the predefined lab tests. Nothing is ever `pending_approval`.",
    "A suspended `lab_account_id` makes the list empty, and an unknown one returns `not_found`.",
  ],
  auth: "team",
  params: noFields,
  query: labTestFilter.extend({
    lab_test_limit: queryInteger(1, 100).default(50),
    next_cursor: z.string().max(2_000).nullish().describe("From the response for the previous page"),
    include_pricing: queryBoolean.default(false).describe("Whether `pricing` is set"),
  }),
  response: z
    .object({
      data: z.array(wireLabTest),
      next_cursor: z.string().nullable(),
      pricing: labTestPricing.nullable(),
    })
    .meta({ id: "LabTestPage" }),
  errors: [NotFound],
  access: [queryItems(labTests), queryItems(labAccounts)],
});

const position = z.tuple([z.union([positionText, z.number()]), positionText]);

export const handler = implement(contract, async ({ scope, team, query, pages }, { labTests, labAccounts }) => {
  const { next_cursor, lab_test_limit, include_pricing, ...filter } = query;
  const after = pages.read(next_cursor, position);
  const accountLab = await resolveAccountLab(labAccounts, team, filter.lab_account_id);
  const catalogue = await loadLabCatalogue();
  const labs = accountLab === undefined ? undefined : [accountLab ?? ""];
  const found = selectLabTests(await listTeamLabTests(labTests, scope), filter, catalogue, labs);
  const direction = filter.order_direction === "asc" ? 1 : -1;
  const rest = found.filter(
    (test) => !after || direction * comparePositions(labTestPosition(test, filter, catalogue), after) > 0,
  );
  const page = takePageItems(rest.slice(0, lab_test_limit), (test) => toWireLabTest(test, catalogue));
  const last = rest.length > page.length ? page.at(-1) : undefined;
  return {
    data: page.map((test) => toWireLabTest(test, catalogue)),
    next_cursor: last ? pages.write([...labTestPosition(last, filter, catalogue)]) : null,
    pricing: include_pricing ? toLabTestPricing(page, catalogue) : null,
  };
});
