import * as z from "zod";
import { wireRejection } from "./rejection.ts";

/**
 * Response to an accepted batch. Nothing is stored yet; all accepted records will be. Records with dropped fields count
 * as accepted.
 */
export const wireIngestAcceptance = z
  .object({ receipt_id: z.string(), accepted: z.number().int(), rejected: z.array(wireRejection) })
  .meta({ id: "IngestAcceptance" });

/** Receipt of a batch; counts are final once `status` is `done`. */
export const wireIngestReceipt = z
  .object({
    receipt_id: z.string(),
    status: z.enum(["pending", "done"]),
    stored: z.number().int().describe("Number of new records"),
    updated: z.number().int().describe("Number of existing records that the batch changed"),
    unchanged: z.number().int().describe("Number of accepted records that change nothing"),
    rejected: z.array(wireRejection),
    remap_id: z.guid().nullable().default(null).describe("The remap that stored the batch; null for received data"),
    event_ids: z.array(z.string()).describe("Ids of the batch's events, as in the header webhook-id"),
  })
  .meta({ id: "IngestReceipt" });
export type IngestReceipt = z.output<typeof wireIngestReceipt>;

/** Result of storing a batch. */
export type StorageOutcome = Pick<IngestReceipt, "stored" | "updated" | "unchanged" | "event_ids">;
