import * as z from "zod";

/** The key that created a credential, and when. Absent in records of earlier versions. */
export const issuedBy = z.object({
  /** The public id inside the key. */
  key_id: z.string().optional(),
  /** ISO 8601. */
  made_at: z.string().optional(),
});
export type IssuedBy = z.output<typeof issuedBy>;

/**
 * Whether a credential was created before all of its kind were revoked.
 * @param revokedAt ISO 8601; undefined if never.
 */
export const isRevoked = ({ made_at = "" }: IssuedBy, revokedAt: string | undefined): boolean =>
  revokedAt !== undefined && made_at <= revokedAt;
