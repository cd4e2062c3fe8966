import type * as z from "zod";
import { issuedLink } from "../management/issued-by.ts";

/** Lifetime of a link to the webhook portal. */
export const PORTAL_SESSION_TTL_MS = 60 * 60 * 1000;

/** A session of the webhook portal, stored under the hash of the link's secret. */
export const portalSession = issuedLink;
export type PortalSession = z.output<typeof portalSession>;
