import * as z from "zod";

/** Who may call, as the access log names them; `service` for what the service does by itself. */
export const accessCallers = ["team", "lab", "portal", "review", "link", "session", "none", "service"] as const;

/**
 * One call that may have touched data of users: who asked for what, about whom, and how it ended. Ids and digests only,
 * never a value, a name or the text of a query.
 */
export const accessEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    caller: z.enum(accessCallers),
    /** The API key that was used, or that has made the link that was; null where there is none. */
    key_id: z.string().nullable(),
    operation: z.string(),
    /** The user, by the digest that a certificate of erasure is found by; null where it is about several, or nobody. */
    subject: z.string().nullable(),
    /** Other ids, by their names. */
    target: z.record(z.string(), z.string()),
    /** Status of the answer; null for what was begun and broke off, and for what the service does by itself. */
    status: z.int().nullable(),
  })
  .meta({ id: "AccessEntry" });
export type AccessEntry = z.output<typeof accessEntry>;
