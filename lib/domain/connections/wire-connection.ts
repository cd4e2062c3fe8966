import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { providers } from "./providers/providers.ts";

/** Provider with its display name and logo. */
export const namedProvider = z.object({
  name: z.string().describe("Display name"),
  slug: z.string(),
  logo: z.string().describe("URL of the icon"),
});

const scopes = z.object({ required: z.array(z.string()), optional: z.array(z.string()) });

/** Availability of a resource, and the scopes that it requires from the user. */
export const resourceAvailability = z.object({
  status: openEnum(["available", "unavailable"]),
  scope_requirements: z.object({ user_granted: scopes, user_denied: scopes }).nullable(),
});

/** Payload of the event for a created connection. */
export const wireConnectionCreated = z
  .object({
    user_id: z.guid(),
    source: namedProvider,
    provider: namedProvider.meta({ deprecated: true, description: "Same as source" }),
    external_user_id: z.string().nullable().describe("The provider's id of the user"),
    resource_availability: z.record(z.string(), resourceAvailability).describe("By resource"),
  })
  .meta({ id: "ConnectionCreated" });

/** Known errors of connections. */
export const connectionErrorTypes = [
  "token_refresh_failed",
  "webhook_registration_failed",
  "user_not_found",
  "deregistered_per_provider",
  "required_scopes_not_granted",
  "provider_credential_error",
  "provider_password_expired",
  "unknown",
] as const;

/** Payload of the event for a connection error. */
export const wireConnectionError = z
  .object({
    user_id: z.guid(),
    provider: openEnum(providers.map(({ slug }) => slug)),
    error_type: openEnum(connectionErrorTypes),
    message: z.string().describe("Description of the error"),
    error_details: z.string(),
  })
  .meta({ id: "ConnectionError" });
