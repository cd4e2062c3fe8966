import * as z from "zod";

/** The key that created a credential, and when. Absent in records of earlier versions. */
export const issuedBy = z.object({
  /** The public id inside the key. */
  key_id: z.string().optional(),
  /** ISO 8601. */
  made_at: z.string().optional(),
});
export type IssuedBy = z.output<typeof issuedBy>;

/** A link that a team created, for a person who has no key. */
export const issuedLink = issuedBy.extend({
  team_id: z.string(),
  /** The API key that created the link. The link ends with the key. */
  key_id: z.string(),
  /** The session of the console that created the link. The link ends with it, and its calls are those of its person. */
  console_session_id: z.string().optional(),
  /** Epoch seconds. */
  expires_at: z.int(),
});
export type IssuedLink = z.output<typeof issuedLink>;

/**
 * Whether a credential was created before all of its kind were revoked.
 * @param revokedAt ISO 8601; undefined if never.
 */
export const isRevoked = ({ made_at = "" }: IssuedBy, revokedAt: string | undefined): boolean =>
  revokedAt !== undefined && made_at <= revokedAt;
