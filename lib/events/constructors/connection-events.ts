import type { Consent } from "../../domain/connections/consents/consent.ts";
import type { Staleness } from "../../domain/connections/health/staleness.ts";
import { type ResourceGrant, resourceAvailabilityOf } from "../../domain/connections/resource-availability.ts";
import type { WireSource } from "../../domain/connections/sources/source.ts";
import type { Connection, UserRecord } from "../../domain/users/user.ts";
import type { UserEventType } from "../catalogue/catalogue.ts";
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
  const of = { provider: source.slug, subject: created_on, from: created_on };
  return stateEvent(user, "provider.connection.created", of, data);
}

/** Returns the event for a connection that stopped working. */
export function connectionErrorEvent(
  user: UserRecord,
  provider: string,
  { created_on, error }: { created_on: string; error: NonNullable<Connection["error"]> },
): NewEvent {
  const { error_type, error_message: message, errored_at: from } = error;
  const data = { provider, error_type, message, error_details: message };
  return stateEvent(user, "provider.connection.error", { provider, subject: `${created_on}#error`, from }, data);
}

/** Returns the event for a connection whose data is missing. Each staleness of a connection has its own events. */
export function connectionStaleEvent(
  user: UserRecord,
  provider: string,
  { created_on }: Pick<Connection, "created_on">,
  { since, reason, resources, last_data_at }: Staleness,
): NewEvent {
  const data = { provider, reason, resources, stale_since: since, last_data_at };
  const of = { provider, subject: `${created_on}#${since}`, from: since };
  return stateEvent(user, "provider.connection.stale", of, data);
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
  const of = { provider, subject: `${created_on}#${since}`, from: recoveredAt };
  return stateEvent(user, "provider.connection.recovered", of, data);
}

/** A state of the connection to a provider: what it is about, unique for the provider, and its beginning (ISO 8601). */
interface ConnectionState {
  readonly provider: string;
  readonly subject: string;
  readonly from: string;
}

/** Composes an event for a state of a connection, which a later state replaces. */
function stateEvent(
  user: UserRecord,
  type: UserEventType,
  { provider, subject, from }: ConnectionState,
  data: Record<string, unknown>,
): NewEvent {
  const orderKey = `${user.user_id}#${provider}`;
  const { reference, ...event } = composeDataEvent(user, type, `${orderKey}#${subject}`, 1, data, orderKey);
  return { ...event, reference: { ...reference, state_from: Date.parse(from) } };
}

/** Returns the event for a consent: given, or its later version, ended. */
export function consentEvent(user: UserRecord, consent: Consent): NewEvent {
  const { consent_id, provider, state, given_at, ended_at, ended_by } = consent;
  const data = { consent_id, provider, state, given_at, ended_at, ended_by };
  return state === "given"
    ? composeDataEvent(user, "provider.consent.given", consent_id, 1, data)
    : composeDataEvent(user, "provider.consent.ended", consent_id, 2, data);
}
