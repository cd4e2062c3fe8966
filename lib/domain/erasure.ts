import { createHash } from "node:crypto";
import * as z from "zod";

/** What became of the access to a user's account at a provider. */
export const consentOutcomes = ["given_back", "ended_before", "not_offered", "refused", "failed"] as const;
export type ConsentOutcome = (typeof consentOutcomes)[number];

const count = z.int().min(0);
const consents = z
  .object({
    given_back: count.describe("The provider took access back"),
    ended_before: count.describe("Access had ended, or the user had taken it back"),
    not_offered: count.describe("The provider has no way to take access back"),
    refused: count.describe("The provider refused to"),
    failed: count.describe("The provider could not be reached, however often it was tried"),
  })
  .meta({ id: "ErasedConsents" });
export type Consents = z.output<typeof consents>;

/** What the erasure of a user leaves behind, as stored: instants and counts, and of the user a digest of the id. */
export const erasureRecord = z.object({
  deletion_id: z.string(),
  /** ISO 8601, as are all instants. */
  requested_at: z.string(),
  /** Absent until it came to its end. */
  erased_at: z.string().optional(),
  stores: z.record(z.string(), count),
  consents,
  scan: z.object({ places: count, found: count }).optional(),
  /** The orders that there were, until it came to its end: their list goes before what a late write may leave of them. */
  order_ids: z.array(z.string()).optional(),
});
export type ErasureRecord = z.output<typeof erasureRecord>;

/** The certificate of an erasure as answered. */
export const erasureCertificate = z
  .object({
    deletion_id: z.guid(),
    user_id: z.guid(),
    requested_at: z.iso.datetime(),
    erased_at: z.iso.datetime(),
    stores: z.record(z.string(), count).describe("Items and objects that there were, by where they were"),
    consents,
    scan: z
      .object({ places: count, found: count })
      .meta({ id: "ErasureScan" })
      .describe("What was found when all places were looked at again"),
  })
  .meta({ id: "ErasureCertificate" });
export type ErasureCertificate = z.output<typeof erasureCertificate>;

/** No connection, by what became of it. */
export const noConsents: Consents = { given_back: 0, ended_before: 0, not_offered: 0, refused: 0, failed: 0 };

/** What a user who was erased is known by. Ids are 122 bits of chance, so nobody finds one by its digest. */
export const erasedName = (teamId: string, userId: string): string =>
  createHash("sha256").update(`${teamId}/${userId.toLowerCase()}`).digest("hex");

/** The certificate of an erasure that came to its end; undefined of one that did not. */
export function certificateOf(record: ErasureRecord, user_id: string): ErasureCertificate | undefined {
  const { deletion_id, requested_at, erased_at, stores, consents, scan } = record;
  if (erased_at === undefined || scan === undefined) return undefined;
  return { deletion_id, user_id, requested_at, erased_at, stores, consents, scan };
}
