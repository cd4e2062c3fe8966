import * as z from "zod";

/** Caller kinds in the access log; `console` for a person, `service` for calls of the service itself. */
export const accessCallers = [
  "team",
  "console",
  "lab",
  "portal",
  "review",
  "link",
  "session",
  "none",
  "service",
] as const;

/**
 * One call that may have touched user data: caller, operation, subject and outcome. Ids and digests only, never a
 * value, a name of a user or the text of a query.
 */
export const accessEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    caller: z.enum(accessCallers),
    /** The API key of the call, or the key that created the link of the call; null without a key. */
    key_id: z.string().nullable(),
    /** The console session of the call; null for any other caller, and in entries of earlier versions. */
    session_id: z.string().nullable().default(null),
    /** The person of that session, by the name of the sign-in. */
    actor: z.string().nullable().default(null),
    /** Why the person looked, if they said it: a word of a list and a reference. */
    reason: z.string().nullable().default(null),
    operation: z.string(),
    /** Digest of the user's id, as in erasure certificates; null for several users or none. */
    subject: z.string().nullable(),
    /** Other ids by name. */
    target: z.record(z.string(), z.string()),
    /** Response status; null for a call that started and broke off, and for calls of the service itself. */
    status: z.int().nullable(),
  })
  .meta({ id: "AccessEntry" });
export type AccessEntry = z.output<typeof accessEntry>;
