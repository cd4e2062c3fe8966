import * as z from "zod";

/** A sample to delete, as a phone names it. */
export const deletedSample = z.object({
  timestamp: z.string().optional().describe("Start of the sample, ISO 8601; required without `start`"),
  start: z.string().optional().describe("Another name of `timestamp`, as in samples of intervals"),
  type: z
    .string()
    .max(64)
    .optional()
    .meta({ description: "Type of the sample, for resources with several samples of one instant" }),
});

/**
 * A deletion in a request. It accepts any value, because the service judges each deletion on its own. lib/openapi
 * documents {@link deletedSample} in its place.
 */
export const sentDeletion = z.unknown();
