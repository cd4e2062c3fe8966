import * as z from "zod";

/** Fault switches of a simulated provider. */
export const switches = z.strictObject({
  /** Revision of the data. Each revision corrects all days and nights: 100 more steps, one more point per score. */
  revision: z.int().min(0).max(20).default(0),
  /** Repeats the first item of lists, and sends pushes twice. */
  duplicates: z.boolean().default(false),
  /** Offset of the provider's clock; positive if it is ahead. */
  clock_skew_ms: z.int().min(-86_400_000).max(86_400_000).default(0),
  /** Number of upcoming pushes to lose. */
  lost_pushes: z.int().min(0).default(0),
  /** Number of upcoming authorized requests that get a 429. */
  rate_limited: z.int().min(0).default(0),
});
export type Switches = z.output<typeof switches>;
