import * as z from "zod";
import type { AcceptedStream } from "../summaries/streams/stream-kind.ts";
import type { AcceptedSummary } from "../summaries/summary-kind.ts";
import type { Sample } from "../timeseries/chunk/sample.ts";

/** Whether data is new, or the history that a source delivers once after it connects. */
export const dataStages = ["daily", "historical"] as const;
export type DataStage = (typeof dataStages)[number];

/** Accepted data of one source on its way to the store: sent by a phone, pushed by a provider, or pulled. */
export const sampleBatch = z.object({
  provider: z.string(),
  source_type: z.string(),
  device_id: z.string().nullable(),
  /** Absent in messages of versions before it was stored. */
  app_id: z.string().nullable().default(null),
  stage: z.enum(dataStages),
  /** Whether a push of the provider brought the data, or announced it. */
  pushed: z.boolean().optional(),
  /** The remap that mapped kept payloads again. */
  remap_id: z.string().optional(),
  /** False for a part of a history with more to follow; the component that knows the end reports it complete. */
  is_final: z.boolean().default(true),
  /** Samples by resource. They were validated on acceptance; validating them again would double the cost of storing. */
  samples: z.record(z.string(), z.array(z.custom<Sample>())),
  summaries: z.record(z.string(), z.array(z.custom<AcceptedSummary>())),
  streams: z.record(z.string(), z.array(z.custom<AcceptedStream>())),
});
export type SampleBatch = z.output<typeof sampleBatch>;

/**
 * Queue message of a batch: its receipt, and its content or the object key of it. Contains only ids and compressed
 * content.
 */
export const batchMessage = z.object({
  team_id: z.string(),
  user_id: z.string(),
  receipt_id: z.string(),
  /** When the batch was accepted, epoch milliseconds; later receipts win over earlier ones. */
  received_at: z.number(),
  /** The batch as gzipped JSON in base64, or its object key in the bucket. */
  content: z.union([z.object({ inline: z.string() }), z.object({ key: z.string() })]),
  /** Progress of a batch stored in parts: parts stored, and growth of the stored data in bytes. */
  progress: z.object({ parts: z.int(), grew_bytes: z.int() }).optional(),
});
export type BatchMessage = z.output<typeof batchMessage>;

/** Maximum number of records in one request. */
export const MAX_RECORDS_PER_REQUEST = 10_000;
