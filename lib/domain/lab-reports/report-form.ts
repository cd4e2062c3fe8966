import * as z from "zod";
import { MOST_BYTES, MOST_DIRECT_BYTES, MOST_FILES } from "./report-job.ts";

const user_id = z.guid().toLowerCase();

/** The fields of the form that submits a report, beside its files. */
export const reportFields = z.object({
  user_id,
  needs_human_review: z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0", ""] }).default(false),
});

/** The form as documents show it. */
export const reportForm = z.object({
  file: z
    .array(z.string().meta({ format: "binary" }))
    .min(1)
    .max(MOST_FILES)
    .describe(`One PDF, or up to ${MOST_FILES} pictures (JPEG, PNG), of ${MOST_DIRECT_BYTES} bytes together`),
  user_id,
  needs_human_review: z.boolean().default(false),
});

/** What is told of a report whose files are sent to signed addresses. */
export const uploadDraft = z
  .object({
    user_id,
    needs_human_review: z.boolean().default(false),
    files: z
      .array(z.object({ size: z.int().min(1).describe("Bytes of the file; the address takes just so many") }))
      .min(1)
      .max(MOST_FILES)
      .describe(`One PDF, or up to ${MOST_FILES} pictures, of ${MOST_BYTES} bytes together`),
  })
  .meta({ id: "ReportUploadDraft" });
export type UploadDraft = z.output<typeof uploadDraft>;
