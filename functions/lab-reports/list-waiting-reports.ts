import * as z from "zod";
import { batchGetItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labReports, users } from "../../lib/contract/resources.ts";
import { noFields, queryInteger } from "../../lib/contract/shared-schemas.ts";
import { toWaitingReports, wireWaitingReport } from "../../lib/domain/lab-reports/waiting-report.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Maximum number of reports in one response: one request reads their users. */
const PAGE = 100;

export const contract = endpoint({
  operationId: "listWaitingReports",
  method: "GET",
  path: "/lab_report/v1/waiting_reports",
  tag: "lab-reports",
  summary: "List lab reports that wait for a review",
  description: [
    "Lists the parsing jobs of the team with the status `pending_review`, with their users.",
    "A page is sorted by creation, oldest first; pages follow each other in no particular order.",
    "A page may be shorter than `limit`: repeat the request with `next_cursor` until it is null.",
    "Reports of users whose deletion has begun are left out.",
    "A report may appear or disappear a moment late. `GET /lab_report/v1/parser/job/{job_id}` is exact.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({
    limit: queryInteger(1, PAGE).default(PAGE),
    next_cursor: z.string().max(500).nullish().describe("From the response for the previous page"),
  }),
  response: z
    .object({ data: z.array(wireWaitingReport), next_cursor: z.string().nullable() })
    .meta({ id: "WaitingReportPage" }),
  access: [queryItems(labReports, "reports_by_status"), batchGetItem(users)],
});

export const handler = implement(contract, async ({ scope, query, pages }, { labReports, users }) => {
  const after = pages.read(query.next_cursor, z.tuple([z.guid()]));
  const { jobs, last } = await labReports.listWaiting(scope, after?.[0], query.limit);
  const known = await users.getMany(scope, [...new Set(jobs.map(({ user_id }) => user_id))]);
  return { data: toWaitingReports(jobs, known), next_cursor: last === undefined ? null : pages.write([last]) };
});
