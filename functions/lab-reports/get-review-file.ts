import { readFile } from "node:fs/promises";
import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { reviewFiles, reviewHeaders } from "../../lib/services/lab-reports/review-page.ts";

/** The build puts the files beside this function. */
export const contract = endpoint({
  operationId: "getReviewFile",
  method: "GET",
  path: "/lab_report/v1/review/{file}",
  tag: "lab-reports",
  summary: "Retrieve a file of the review page",
  description: [
    "Returns a static file of the review page; `review.html` is the page that a review link opens.",
    "It needs no credential, because the files contain no data.",
    "A name that is not a file of the page returns `validation_failed`.",
  ],
  auth: "none",
  params: z.object({ file: z.enum(reviewFiles) }),
  query: noFields,
  response: z.string().meta({ description: "Page, script or style", mediaType: "*/*" }),
  access: [],
});

export const handler = implement(contract, async ({ params: { file } }) => {
  const text = await readFile(new URL(file, import.meta.url), "utf8");
  return new Answer(text, { headers: reviewHeaders(file) });
});
