import * as z from "zod";

/** What can be made to go wrong at one provider, from now on. */
export const switches = z.strictObject({
  /** Each higher one corrects days and nights that were told before: 100 more steps, a point more of each score. */
  revision: z.int().min(0).max(20).default(0),
  /** Whether lists tell their first item twice, and pushes come twice. */
  duplicates: z.boolean().default(false),
  /** By how much the provider's clock is ahead of ours. */
  clock_skew_ms: z.int().min(-86_400_000).max(86_400_000).default(0),
  /** How many of the next pushes never arrive. */
  lost_pushes: z.int().min(0).default(0),
  /** How many of the next requests with a token are answered 429. */
  rate_limited: z.int().min(0).default(0),
});
export type Switches = z.output<typeof switches>;
