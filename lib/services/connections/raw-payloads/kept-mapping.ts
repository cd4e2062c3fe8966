import * as z from "zod";
import { sampleBatch } from "../../../domain/ingest/batch.ts";

/** What a connector made of the payloads of a pull. */
export const keptMapping = z.object({
  /** When the mapping was complete, epoch milliseconds. */
  mapped_at: z.number(),
  batches: z.array(sampleBatch),
  /** The mapping before a remap, so that a repeated step of this remap compares with the same one. */
  replaced: z.object({ remap_id: z.string(), batches: z.array(sampleBatch) }).optional(),
});
export type KeptMapping = z.output<typeof keptMapping>;
