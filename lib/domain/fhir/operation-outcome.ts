import * as z from "zod";

const issue = z.object({
  severity: z.string(),
  code: z.string(),
  details: z
    .object({ coding: z.array(z.object({ system: z.string(), code: z.string() })) })
    .optional()
    .describe("The error code of the service"),
  diagnostics: z.string(),
});

/** The FHIR R4 resource that states success or errors. */
export const operationOutcome = z
  .object({ resourceType: z.literal("OperationOutcome"), issue: z.array(issue).min(1) })
  .meta({ id: "OperationOutcome" });
export type OperationOutcome = z.output<typeof operationOutcome>;
