import * as z from "zod";
import { sampleBatch } from "../../../domain/ingest/batch.ts";

const mapping = {
  /** Epoch milliseconds: when the pull was mapped, or the last receipt with which a remap stored it. */
  mapped_at: z.number(),
  batches: z.array(sampleBatch),
};

/** What a connector made of the payloads of a pull. */
export const storedMapping = z.object({
  ...mapping,
  /** The mapping before a remap, so that a repeated step of this remap compares with the same one. */
  replaced: z.object({ remap_id: z.string(), ...mapping }).optional(),
});
export type StoredMapping = z.output<typeof storedMapping>;
