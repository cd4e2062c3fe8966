import type { Consent } from "../../domain/connections/consents/consent.ts";
import type { Staleness } from "../../domain/connections/health/staleness.ts";
import { type ResourceGrant, resourceAvailabilityOf } from "../../domain/connections/resource-availability.ts";
import type { WireSource } from "../../domain/connections/sources/source.ts";
import type { Connection, UserRecord } from "../../domain/users/user.ts";
import { composeDataEvent, type NewEvent } from "./compose-event.ts";

/** Returns the event for a new provider connection. @param grant what the user granted at the provider. */
export function connectionEvent(
  user: UserRecord,
  source: Pick<WireSource, "name" | "slug" | "logo">,
  { created_on, external_user_id }: Pick<Connection, "created_on" | "external_user_id">,
  grant?: ResourceGrant,
): NewEvent {
  const short = { name: source.name, slug: source.slug, logo: source.logo };
  const resource_availability = resourceAvailabilityOf(source.slug, grant);
  const data = { source: short, provider: short, external_user_id: external_user_id ?? null, resource_availability };
  const orderKey = `${user.user_id}#${source.slug}`;
  return composeDataEvent(user, "provider.connection.created", `${orderKey}#${created_on}`, 1, data, orderKey);
}

/** Returns the event for a connection that stopped working. */
export function connectionErrorEvent(
  user: UserRecord,
  provider: string,
  { created_on, error }: { created_on: string; error: NonNullable<Connection["error"]> },
): NewEvent {
  const { error_type, error_message: message } = error;
  const data = { provider, error_type, message, error_details: message };
  const orderKey = `${user.user_id}#${provider}`;
  return composeDataEvent(user, "provider.connection.error", `${orderKey}#${created_on}#error`, 1, data, orderKey);
}

/** Returns the event for a connection whose data is missing. Each staleness of a connection has its own events. */
export function connectionStaleEvent(
  user: UserRecord,
  provider: string,
  { created_on }: Pick<Connection, "created_on">,
  { since, reason, resources, last_data_at }: Staleness,
): NewEvent {
  const data = { provider, reason, resources, stale_since: since, last_data_at };
  const orderKey = `${user.user_id}#${provider}`;
  const key = `${orderKey}#${created_on}#${since}`;
  return composeDataEvent(user, "provider.connection.stale", key, 1, data, orderKey);
}

/** Returns the event for a stale connection whose data arrived again. @param recoveredAt ISO 8601. */
export function connectionRecoveredEvent(
  user: UserRecord,
  provider: string,
  { created_on }: Pick<Connection, "created_on">,
  { since, reason, resources }: Staleness,
  recoveredAt: string,
): NewEvent {
  const data = { provider, reason, resources, stale_since: since, recovered_at: recoveredAt };
  const orderKey = `${user.user_id}#${provider}`;
  const key = `${orderKey}#${created_on}#${since}`;
  return composeDataEvent(user, "provider.connection.recovered", key, 1, data, orderKey);
}

/** Returns the event for a consent: given, or its later version, ended. */
export function consentEvent(user: UserRecord, consent: Consent): NewEvent {
  const { consent_id, provider, state, given_at, ended_at, ended_by } = consent;
  const data = { consent_id, provider, state, given_at, ended_at, ended_by };
  return state === "given"
    ? composeDataEvent(user, "provider.consent.given", consent_id, 1, data)
    : composeDataEvent(user, "provider.consent.ended", consent_id, 2, data);
}
