import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { providers } from "./providers.ts";

/** A provider as people see it. */
export const namedProvider = z.object({
  name: z.string().describe("For people"),
  slug: z.string(),
  logo: z.string().describe("URL of the icon"),
});

const scopes = z.object({ required: z.array(z.string()), optional: z.array(z.string()) });

/** Whether data of a resource can come, and what the user would have to grant for it. */
export const availability = z.object({
  status: openEnum(["available", "unavailable"]),
  scope_requirements: z.object({ user_granted: scopes, user_denied: scopes }).nullable(),
});

/** A connection that was made, as its event tells it. */
export const wireConnectionCreated = z
  .object({
    user_id: z.guid(),
    source: namedProvider,
    provider: namedProvider.meta({ deprecated: true, description: "Same as source" }),
    external_user_id: z.string().nullable().describe("The provider's id of the user"),
    resource_availability: z.record(z.string(), availability).describe("By resource"),
  })
  .meta({ id: "ConnectionCreated" });

/** Why a connection stopped working, as known today. */
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

/** A connection that stopped working, as its event tells it. */
export const wireConnectionError = z
  .object({
    user_id: z.guid(),
    provider: openEnum(providers.map(({ slug }) => slug)),
    error_type: openEnum(connectionErrorTypes),
    message: z.string().describe("What happened, for people"),
    error_details: z.string(),
  })
  .meta({ id: "ConnectionError" });
