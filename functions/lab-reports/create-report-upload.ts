import * as z from "zod";
import { conditionCheckItem, getItem, putItem, putObject } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labReports, reportUploads, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { uploadDraft } from "../../lib/domain/lab-reports/report-form.ts";
import { wireParsingJob } from "../../lib/domain/lab-reports/wire-parsing-job.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { openUpload } from "../../lib/services/lab-reports/open-upload.ts";

const wireUpload = z
  .object({
    job: wireParsingJob,
    uploads: z
      .array(z.object({ method: z.literal("PUT"), url: z.url(), size: z.int() }))
      .describe("Presigned URLs in the order of the files. Anyone with a URL can upload its file"),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: "ReportUpload" });

export const contract = endpoint({
  operationId: "createReportUpload",
  method: "POST",
  path: "/lab_report/v1/parser/upload",
  tag: "lab-reports",
  summary: "Create upload URLs for a lab report",
  description: [
    "Creates a parsing job and a presigned URL for each of its files.",
    "Call it for reports of more than 4,500,000 bytes; smaller ones fit in `POST /lab_report/v1/parser/job`.",
    "The files can have 10,000,000 bytes together: one PDF, or up to 8 images.",
    "Send each file with `PUT` and exactly its `size`, then call `POST /lab_report/v1/parser/job/{job_id}/start`.",
    "URLs and job are valid for an hour. Later, the job returns `not_found`; create another one.",
    "No event reports a job in `upload_pending`, and each call creates a new job.",
    "`needs_human_review` without the feature `lab_report_human_review` returns `not_possible`.",
  ],
  auth: "team",
  feature: "lab_report_parsing",
  params: noFields,
  query: noFields,
  body: uploadDraft,
  response: wireUpload,
  errors: [UserNotFound, NotPossible],
  access: [getItem(users), conditionCheckItem(users), putItem(labReports), putObject(reportUploads)],
});

export const handler = implement(contract, ({ scope, team, log, work, body }, deps) =>
  openUpload({ scope, team, log, work }, body, deps),
);
