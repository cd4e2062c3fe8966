import { createHash } from "node:crypto";
import * as z from "zod";

/** Outcomes of revoking the consent of a user at a provider. */
export const consentOutcomes = ["given_back", "ended_before", "not_offered", "refused", "failed"] as const;
export type ConsentOutcome = (typeof consentOutcomes)[number];

const count = z.int().min(0);
const consents = z
  .object({
    given_back: count.describe("The provider revoked access"),
    ended_before: count.describe(
      "Access had ended, the user had revoked it, or another connection to the account has it",
    ),
    not_offered: count.describe("The provider offers no revocation"),
    refused: count.describe("The provider refused to revoke access"),
    failed: count.describe("The provider could not be reached after all retries"),
  })
  .meta({ id: "ErasedConsents" });
export type ConsentCounts = z.output<typeof consents>;

/** Stored record of a user's erasure: instants and counts. It identifies the user only by a digest of the id. */
export const erasureRecord = z.object({
  deletion_id: z.string(),
  /** ISO 8601, like all instants here. */
  requested_at: z.string(),
  /** Absent until the erasure is complete. */
  erased_at: z.string().optional(),
  stores: z.record(z.string(), count),
  consents,
  scan: z.object({ places: count, found: count }).optional(),
  /**
   * Ids of the user's orders, until the erasure is complete: their list is deleted before the leftovers of late writes.
   */
  order_ids: z.array(z.string()).optional(),
});
export type ErasureRecord = z.output<typeof erasureRecord>;

/** The certificate of an erasure in its wire form. */
export const erasureCertificate = z
  .object({
    deletion_id: z.guid(),
    user_id: z.guid(),
    requested_at: z.iso.datetime(),
    erased_at: z.iso.datetime(),
    stores: z.record(z.string(), count).describe("Number of erased items and objects, by store"),
    consents,
    scan: z
      .object({ places: count, found: count })
      .meta({ id: "ErasureScan" })
      .describe("Result of the final scan of all stores for leftovers"),
  })
  .meta({ id: "ErasureCertificate" });
export type ErasureCertificate = z.output<typeof erasureCertificate>;

/** Counts for a user without connections. */
export const zeroConsentCounts: ConsentCounts = {
  given_back: 0,
  ended_before: 0,
  not_offered: 0,
  refused: 0,
  failed: 0,
};

/** Digest that identifies an erased user. User ids have 122 random bits, so a digest cannot be reversed by trying. */
export const userDigest = (teamId: string, userId: string): string =>
  createHash("sha256").update(`${teamId}/${userId.toLowerCase()}`).digest("hex");

/** The certificate of a complete erasure; undefined for an incomplete one. */
export function toErasureCertificate(record: ErasureRecord, user_id: string): ErasureCertificate | undefined {
  const { deletion_id, requested_at, erased_at, stores, consents, scan } = record;
  if (erased_at === undefined || scan === undefined) return undefined;
  return { deletion_id, user_id, requested_at, erased_at, stores, consents, scan };
}
