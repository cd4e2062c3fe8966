import * as z from "zod";
import type { Sample } from "./chunk/sample.ts";
import type { AcceptedStream } from "./streams/stream-kind.ts";
import type { AcceptedSummary } from "./summaries/summary-kind.ts";

/** Whether data is fresh, or history that a source delivers once after it was connected. */
export const stages = ["daily", "historical"] as const;
export type Stage = (typeof stages)[number];

/** Accepted data of one source on its way to the store: what a phone sent, a provider pushed, or a pull answered. */
export const sampleBatch = z.object({
  provider: z.string(),
  source_type: z.string(),
  device_id: z.string().nullable(),
  stage: z.enum(stages),
  /** False for a part of a history of which more comes; whoever knows its end tells that it is there. */
  is_final: z.boolean().default(true),
  /** By resource. Every sample was checked when it was accepted; checking each again would double the cost of storing. */
  samples: z.record(z.string(), z.array(z.custom<Sample>())),
  summaries: z.record(z.string(), z.array(z.custom<AcceptedSummary>())),
  streams: z.record(z.string(), z.array(z.custom<AcceptedStream>())),
});
export type SampleBatch = z.output<typeof sampleBatch>;

/** How a batch travels: its receipt and where its content is, never more than ids and compressed content. */
export const batchMessage = z.object({
  team_id: z.string(),
  user_id: z.string(),
  receipt_id: z.string(),
  /** Epoch milliseconds at which the batch was accepted; later receipts win over earlier ones. */
  received_at: z.number(),
  /** The batch as gzip JSON in base64, or the key under which the bucket keeps it. */
  content: z.union([z.object({ inline: z.string() }), z.object({ key: z.string() })]),
  /** Of a batch that is stored in parts: how many are stored, and by how many bytes they made the stored data grow. */
  progress: z.object({ parts: z.int(), grew_bytes: z.int() }).optional(),
});
export type BatchMessage = z.output<typeof batchMessage>;

/** The most records that one request may carry. */
export const MOST_RECORDS = 10_000;
