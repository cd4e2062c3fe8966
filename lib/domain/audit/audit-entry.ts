import * as z from "zod";

/** One call of the management interface: who asked for what, and how it ended. Ids only, never a value or a name. */
export const auditEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    /** The management key that was used. */
    key_id: z.string(),
    operation: z.string(),
    /** The ids in the path, by their names. */
    target: z.record(z.string(), z.string()),
    /** Status of the answer; null while it is under way, and for ever when the service broke off. */
    status: z.int().nullable(),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.output<typeof auditEntry>;
