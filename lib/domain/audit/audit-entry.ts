import * as z from "zod";

/** One call of the management API: caller, operation and outcome. Ids only, never a value or a name. */
export const auditEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    /** The management key of the call. */
    key_id: z.string(),
    /** The console session of the call; null for a call with the key itself, and in entries of earlier versions. */
    session_id: z.string().nullable().default(null),
    /** The person of that session, by the name of the sign-in. */
    actor: z.string().nullable().default(null),
    operation: z.string(),
    /** Path ids by name. */
    target: z.record(z.string(), z.string()),
    /** Response status; null while the call runs, and forever if the service broke off. */
    status: z.int().nullable(),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.output<typeof auditEntry>;
