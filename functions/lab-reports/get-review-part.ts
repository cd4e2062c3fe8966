import * as z from "zod";
import { get, load } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labReports, reportFiles, users } from "../../lib/contract/resources.ts";
import { Answer } from "../../lib/runtime/answer.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadPart } from "../../lib/runtime/lab-reports/showing-reports.ts";

const place = z
  .string()
  .regex(/^\d{1,2}$/, "Must be an index from 0")
  .transform(Number);

/** Returns one part of a file of the lab report of a review link. The parts of a file are consecutive. */
export const contract = endpoint({
  operationId: "getReviewPart",
  method: "GET",
  path: "/lab_report/v1/review/file/{place}/{part}",
  tag: "lab-reports",
  summary: "Retrieve a part of a file under review",
  auth: "review",
  params: z.object({ place, part: place }),
  query: nothing,
  response: z.string().meta({ description: "Bytes of the file", mediaType: "application/octet-stream" }),
  errors: [NotFound],
  access: [get(users), get(labReports), load(reportFiles)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ params, ...caller }, uses) => {
  const { content, mediaType } = await loadPart(caller, params, uses);
  return new Answer(Buffer.from(content).toString("base64"), {
    headers: { "content-type": mediaType },
    isFile: true,
  });
});
