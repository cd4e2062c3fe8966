import * as z from "zod";

/** Data that a provider told of as changed: of one resource what lies in a window, or one thing by the provider's id. */
export const changedData = z.object({
  team_id: z.string(),
  user_id: z.string(),
  provider: z.string(),
  resource: z.string(),
  /** The connection, by its time of creation. */
  connected_on: z.string(),
  what: z.union([
    z.object({ id: z.string() }),
    z.object({ window: z.object({ startMs: z.number(), endMs: z.number() }) }),
  ]),
});
export type ChangedData = z.output<typeof changedData>;
