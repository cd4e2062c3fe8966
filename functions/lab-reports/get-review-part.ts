import * as z from "zod";
import { getItem, getObject } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labReports, reportFiles, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadFilePart } from "../../lib/services/lab-reports/load-review.ts";

const indexParam = z
  .string()
  .regex(/^\d{1,2}$/, "Must be an index from 0")
  .transform(Number);

export const contract = endpoint({
  operationId: "getReviewPart",
  method: "GET",
  path: "/lab_report/v1/review/file/{place}/{part}",
  tag: "lab-reports",
  summary: "Retrieve a part of a file under review",
  description: [
    "Returns a part of a file of the lab report under review, with at most 3,000,000 bytes.",
    "`parts` of `GET /lab_report/v1/review/report` says how many parts a file has; join them in order.",
    "`place` is the index of the file and `part` the index of its part, both from 0.",
    "A place or part beyond the last one returns `not_found`.",
  ],
  auth: "review",
  params: z.object({
    place: indexParam.describe("Index of the file"),
    part: indexParam.describe("Index of the part within the file"),
  }),
  query: noFields,
  response: z.string().meta({ description: "Bytes of the file", mediaType: "application/octet-stream" }),
  errors: [NotFound],
  access: [getItem(users), getItem(labReports), getObject(reportFiles)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ params, ...caller }, deps) => {
  const { content, mediaType } = await loadFilePart(caller, params, deps);
  return new Answer(Buffer.from(content).toString("base64"), {
    headers: { "content-type": mediaType },
    isFile: true,
  });
});
