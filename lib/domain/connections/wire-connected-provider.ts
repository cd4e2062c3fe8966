import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import type { Connection } from "../users/user.ts";
import { toWireStaleness, wireStaleness } from "./health/wire-staleness.ts";
import { type ResourceGrant, resourceAvailabilityOf } from "./resource-availability.ts";
import { connectionErrorTypes, namedProvider, resourceAvailability } from "./wire-connection.ts";

/** Connected provider of a user, with the status of the connection. */
export const wireConnectedProvider = namedProvider
  .extend({
    created_on: z.iso.datetime({ offset: true }),
    status: openEnum(["connected", "paused", "error"]),
    external_user_id: z.string().nullable().describe("The provider's id of the user"),
    error_details: z
      .object({
        error_type: openEnum(connectionErrorTypes),
        error_message: z.string(),
        errored_at: z.iso.datetime({ offset: true }),
      })
      .nullable(),
    staleness: wireStaleness.nullable().describe("Why data is missing although the connection works; else null"),
    resource_availability: z.record(z.string(), resourceAvailability).describe("By resource"),
  })
  .meta({ id: "ConnectedProvider" });

/** Converts a connection. @param source name, slug and logo of its provider. @param grant what the user granted there. */
export function toWireConnectedProvider(
  source: z.output<typeof namedProvider>,
  { created_on, status, external_user_id, error, stale }: Connection,
  grant?: ResourceGrant,
): z.output<typeof wireConnectedProvider> {
  const resource_availability = resourceAvailabilityOf(source.slug, grant);
  return {
    ...source,
    created_on,
    status,
    external_user_id: external_user_id ?? null,
    error_details: error ?? null,
    staleness: status === "connected" && stale !== undefined ? toWireStaleness(stale) : null,
    resource_availability,
  };
}
