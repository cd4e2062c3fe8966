import * as z from "zod";

/** Data that a provider reported as changed: a time window of one resource, or one record by the provider's id. */
export const changedData = z.object({
  team_id: z.string(),
  user_id: z.string(),
  provider: z.string(),
  resource: z.string(),
  /** Creation time of the connection, which identifies it. */
  connected_on: z.string(),
  what: z.union([
    z.object({ id: z.string() }),
    z.object({ window: z.object({ startMs: z.number(), endMs: z.number() }) }),
  ]),
});
export type ChangedData = z.output<typeof changedData>;
