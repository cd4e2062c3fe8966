import * as z from "zod";
import { issuedBy } from "../management/issued-by.ts";

/** Lifetime of a link to the webhook portal. */
export const PORTAL_SESSION_TTL_MS = 60 * 60 * 1000;

/** A session of the webhook portal, stored under the hash of the link's secret. */
export const portalSession = issuedBy.extend({
  team_id: z.string(),
  /** The API key that requested the link; revoking the key ends the session. */
  key_id: z.string(),
  /** Epoch seconds. */
  expires_at: z.int(),
});
export type PortalSession = z.output<typeof portalSession>;
