import * as z from "zod";
import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labReports, reviewLinks, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { sha256 } from "../../lib/crypto/api-key.ts";
import { reportParams } from "../../lib/domain/lab-reports/report-job.ts";
import { REVIEW_LINK_TTL_MS } from "../../lib/domain/lab-reports/review-link.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";
import { findReport } from "../../lib/services/lab-reports/find-report.ts";

export const contract = endpoint({
  operationId: "createReviewLink",
  method: "POST",
  path: "/lab_report/v1/parser/job/{job_id}/review_link",
  tag: "lab-reports",
  summary: "Create a review link for a lab report",
  description: [
    "Creates a link to the page on which a person reviews and accepts one lab report.",
    "Call it for a job in `pending_review`; every other status returns `not_possible`.",
    "The link is valid for 12 hours, and no longer than the API key or the console session that created it.",
    "Everyone with the link can see and accept the report. Its secret is in the fragment, which browsers do not send.",
    "Each call creates another link; earlier ones stay valid.",
  ],
  auth: "team",
  feature: "lab_report_parsing",
  params: reportParams,
  query: noFields,
  response: z.object({ url: z.url(), expires_at: z.iso.datetime() }).meta({ id: "ReviewLink" }),
  errors: [NotFound, NotPossible],
  access: [getItem(users), getItem(labReports), putItem(reviewLinks)],
});

export const handler = implement(contract, async ({ scope, keyId, consoleSession, params: { job_id } }, deps) => {
  const { job } = await findReport(scope, job_id, deps);
  if (job.status !== "pending_review") throw new NotPossible("This lab report is not pending review.");
  const secret = `rv_${ports().ids.bytes(32).toString("base64url")}`;
  const expires_at = Math.floor((ports().clock.now() + REVIEW_LINK_TTL_MS) / 1000);
  const issuedBy = { key_id: keyId, made_at: isoNow(), console_session_id: consoleSession?.session_id };
  await deps.reviewLinks.create(sha256(secret), {
    team_id: scope.teamId,
    user_id: job.user_id,
    job_id,
    ...issuedBy,
    expires_at,
  });
  const url = `${baseUrl()}/lab_report/v1/review/review.html#${secret}`;
  return { url, expires_at: new Date(expires_at * 1000).toISOString() };
});
