import * as z from "zod";

/** One call of the management API: caller, operation and outcome. Ids only, never a value or a name. */
export const auditEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    /** The management key of the call. */
    key_id: z.string(),
    operation: z.string(),
    /** Path ids by name. */
    target: z.record(z.string(), z.string()),
    /** Response status; null while the call runs, and forever if the service broke off. */
    status: z.int().nullable(),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.output<typeof auditEntry>;
