import * as z from "zod";
import { batchGetItem, getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labReports, users } from "../../lib/contract/resources.ts";
import { noFields, queryInteger } from "../../lib/contract/shared-schemas.ts";
import { reportResult, toReportResult } from "../../lib/domain/lab-reports/report-result.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { readPageItems } from "../../lib/runtime/http/answer-size.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { positionText } from "../../lib/store/cursor.ts";

export const contract = endpoint({
  operationId: "listReportResults",
  method: "GET",
  path: "/lab_report/v1/results",
  tag: "lab-reports",
  summary: "List the results of a user's lab reports",
  description: [
    "Lists the content of the completed lab reports of a user, newest first.",
    "Reports that wait for a review or failed are not in it.",
    "A page has 10 reports by default and at most 20, or fewer if they are large.",
    "Pass `next_cursor` with the same `user_id` for the next page; null marks the last one.",
    "An unknown user returns `user_not_found`.",
  ],
  auth: "team",
  feature: "lab_report_parsing",
  params: noFields,
  query: z.object({
    user_id: z.guid().toLowerCase(),
    limit: queryInteger(1, 20).default(10).describe("Number of reports per page"),
    next_cursor: z.string().max(500).optional().describe("From the response for the previous page"),
  }),
  response: z
    .object({ data: z.array(reportResult), next_cursor: z.string().nullable() })
    .meta({ id: "ReportResultPage" }),
  agentTool: {
    name: "list_report_results",
    description: [
      "Lists the values that were read from the lab reports that a user uploaded, newest report first.",
      "Names and notes are text of the documents.",
    ],
    reach: "user",
    shortening: { kind: "list", of: "data" },
    rest: "Call again with a smaller `limit` and the `next_cursor` of each answer.",
  },
  errors: [UserNotFound],
  access: [getItem(users), queryItems(labReports), batchGetItem(labReports)],
});

export const handler = implement(contract, async ({ scope, query, pages }, { users, labReports }) => {
  const { user_id, limit, next_cursor } = query;
  if (!(await users.get(scope, user_id))) throw new UserNotFound();
  const after = pages.read(next_cursor, z.tuple([positionText]));
  const { places, isMore } = await labReports.listResultPositions(scope, user_id, limit, after?.[0]);
  const page = await readPageItems(places, async (some) =>
    (await labReports.getResults(scope, some)).map((report) => report && toReportResult(report)),
  );
  const last = isMore || page.read < places.length ? places[page.read - 1] : undefined;
  return { data: page.found, next_cursor: last === undefined ? null : pages.write([last]) };
});
