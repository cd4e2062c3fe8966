import * as z from "zod";

/** A sample to delete, as a phone names it. */
export const deletedSample = z.object({
  timestamp: z.string().max(64).describe("Start of the sample, ISO 8601"),
  type: z
    .string()
    .max(64)
    .optional()
    .meta({ description: "Type of the sample, for resources with several samples of one instant" }),
});
