import * as z from "zod";
import { MAX_DIRECT_UPLOAD_BYTES, MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES } from "./report-job.ts";

const user_id = z.guid().toLowerCase();

/** The form fields of a report upload besides its files. */
export const reportFields = z.object({
  user_id,
  needs_human_review: z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0", ""] }).default(false),
});

/** The form as the API documentation shows it. */
export const reportForm = z.object({
  file: z
    .array(z.string().meta({ format: "binary" }))
    .min(1)
    .max(MAX_UPLOAD_FILES)
    .describe(
      `One PDF, or up to ${MAX_UPLOAD_FILES} images (JPEG, PNG), at most ${MAX_DIRECT_UPLOAD_BYTES} bytes in total`,
    ),
  user_id,
  needs_human_review: z.boolean().default(false).describe("Whether a person reviews the report in any case"),
});

/** The request for presigned upload URLs. */
export const uploadDraft = z
  .object({
    user_id,
    needs_human_review: z.boolean().default(false).describe("Whether a person reviews the report in any case"),
    files: z
      .array(
        z.object({
          size: z.int().min(1).describe("Size of the file in bytes; the upload URL accepts exactly this size"),
        }),
      )
      .min(1)
      .max(MAX_UPLOAD_FILES)
      .describe(`One PDF, or up to ${MAX_UPLOAD_FILES} images, at most ${MAX_UPLOAD_BYTES} bytes in total`),
  })
  .meta({ id: "ReportUploadDraft" });
export type UploadDraft = z.output<typeof uploadDraft>;
