import * as z from "zod";
import { openEnum } from "../../../contract/open-enum.ts";
import { providers } from "../providers/providers.ts";
import { type Staleness, staleReasons } from "./staleness.ts";

const instant = z.iso.datetime({ offset: true });
const fields = {
  reason: openEnum(staleReasons).describe(
    "`silent`: nothing arrives; `pushes_lost`: pulls find data that no push sent",
  ),
  resources: z.array(z.string()).describe("Resources whose pushes are lost; empty if nothing arrives at all"),
  stale_since: instant.describe("When the service noticed"),
};
const lastDataAt = instant.nullable().describe("Arrival of the last data, or time of the last record that a push sent");

/** Staleness of a connection, as lists show it. */
export const wireStaleness = z.object({ ...fields, last_data_at: lastDataAt }).meta({ id: "ConnectionStaleness" });

/** Converts a staleness. */
export const toWireStaleness = ({ since: stale_since, ...rest }: Staleness) => ({ ...rest, stale_since });

const ofConnection = { user_id: z.guid(), provider: openEnum(providers.map(({ slug }) => slug)) };

/** Payload of the event for a connection whose data is missing. */
export const wireConnectionStale = z
  .object({ ...ofConnection, ...fields, last_data_at: lastDataAt })
  .meta({ id: "ConnectionStale" });

/** Payload of the event for a stale connection whose data arrived again. */
export const wireConnectionRecovered = z
  .object({ ...ofConnection, ...fields, recovered_at: instant })
  .meta({ id: "ConnectionRecovered" });

/** A stale connection in the list of a team. */
export const wireStaleConnection = wireStaleness
  .extend({ user_id: z.guid(), client_user_id: z.string(), provider: z.string(), connected_on: instant })
  .meta({ id: "StaleConnection" });
