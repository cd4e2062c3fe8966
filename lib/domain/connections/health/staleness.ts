import * as z from "zod";

/** Why a connection is stale: nothing arrives, or a pull finds data that no push delivered. */
export const staleReasons = ["silent", "pushes_lost"] as const;

/** Staleness of a connection, stored with it. Instants are ISO 8601. */
export const staleness = z.object({
  /** When the service noticed. */
  since: z.string(),
  reason: z.enum(staleReasons),
  /** Event names of the resources whose pushes are lost; empty for a silent connection. */
  resources: z.array(z.string()),
  /** When the newest data arrived, or the time of the newest data that a push delivered. */
  last_data_at: z.string().nullable(),
});
export type Staleness = z.output<typeof staleness>;
