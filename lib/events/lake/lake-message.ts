import * as z from "zod";
import { eventReference } from "../catalogue/envelope.ts";

const range = z.tuple([z.number(), z.number()]);
const days = z.tuple([z.string(), z.string()]);

/** A stored batch, with the places that it changed. Contains ids and instants only. */
const storedBatch = z.object({
  kind: z.literal("batch"),
  team_id: z.string(),
  user_id: z.string(),
  receipt_id: z.string(),
  received_at: z.number(),
  /** First and last start of changed samples, epoch ms, by resource. */
  samples: z.record(z.string(), range),
  /** First and last day of stored summaries, by kind. */
  summaries: z.record(z.string(), days),
});
export type StoredBatch = z.output<typeof storedBatch>;

/** A request for what the service stored of a user before the lake was enabled. */
const earlierData = z.object({
  kind: z.literal("user"),
  team_id: z.string(),
  user_id: z.string(),
  /** When the lake was enabled. */
  enabled_at: z.string(),
});

/** A request for what the service stored of a team before the lake was enabled. */
const earlierUsers = earlierData.omit({ user_id: true }).extend({ kind: z.literal("team") });

/** Message of the queue of the lake: a stored batch, earlier data, or an event that the bus routes. */
export const lakeMessage = z.union([storedBatch, earlierData, earlierUsers, eventReference]);
export type LakeMessage = z.output<typeof lakeMessage>;
