import * as z from "zod";
import { staleness } from "../connections/health/staleness.ts";
import { isTimeZoneName } from "../shared/time-zone.ts";

/** An ISO 8601 calendar date, YYYY-MM-DD. */
export const calendarDate = z.iso.date().meta({ description: "Calendar date, YYYY-MM-DD" });

/** A bound of ingestion, or a date of birth; dates in other centuries are mistakes. */
const boundDate = calendarDate.refine((date) => !/^([03-9]|1[0-8])/.test(date), "between 1900 and 2999");

/** An identifier of the IANA time zone database. */
const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZoneName, "not an IANA time zone identifier")
  .meta({ description: "IANA time zone identifier", examples: ["Europe/Berlin"] });

/** The team's own id of an end user. */
export const clientUserId = z.string().trim().min(1).max(256).meta({
  description: "The team's own id of the user. Do not use personal data such as an e-mail address or a phone number",
});

const fallbackTimeZone = z.object({ id: z.string(), source_slug: z.string(), updated_at: z.string() });
const fallbackBirthDate = z.object({ value: calendarDate, source_slug: z.string(), updated_at: z.string() });

/** Lifecycle of a user; an erased user has no record. */
const userLifecycles = ["active", "pending_erasure", "erasing"] as const;

/** A connection, stored in its user's record by provider slug. */
const connection = z.object({
  created_on: z.string(),
  status: z.enum(["connected", "paused", "error"]),
  demo: z.boolean().optional(),
  /** The provider's id of the user. */
  external_user_id: z.string().optional(),
  /** Why the connection fails. */
  error: z.object({ error_type: z.string(), error_message: z.string(), errored_at: z.string() }).optional(),
  /** Whether a deadline watches the arrival of its data. */
  watched: z.boolean().optional(),
  /** Why data is missing although the connection exists. */
  stale: staleness.optional(),
});
export type Connection = z.output<typeof connection>;

/** A user as stored. One record, so that reading a user or ending all connections takes one request. */
export const userRecord = z.object({
  user_id: z.string(),
  team_id: z.string(),
  client_user_id: z.string(),
  created_on: z.string(),
  lifecycle: z.enum(userLifecycles),
  deletion_id: z.string().optional(),
  /** When the deletion was requested, ISO 8601. */
  deletion_requested_at: z.string().optional(),
  /** End of the grace period, ISO 8601; present only in pending_erasure. */
  erase_at: z.string().optional(),
  fallback_time_zone: fallbackTimeZone,
  fallback_birth_date: fallbackBirthDate.optional(),
  ingestion_start: z.string().nullable().optional(),
  ingestion_end: z.string().nullable().optional(),
  connections: z.record(z.string(), connection),
  /** When providers on the phone were disconnected, ISO 8601 by slug. Sessions from before write no data of them. */
  phone_ends: z.record(z.string(), z.string()).optional(),
  /** The user's links, codes and sessions up to this time are revoked, ISO 8601. */
  credentials_revoked_at: z.string().optional(),
  /** Position among the counted users of the team, if users are counted. */
  quota_place: z.number().int().optional(),
});
export type UserRecord = z.output<typeof userRecord>;

/** Request body to create a user. Everything but the reference can be changed later. */
export const userDraft = z.object({
  client_user_id: clientUserId,
  fallback_time_zone: timeZone.nullish().describe("IANA time zone of data without an offset from UTC"),
  fallback_birth_date: boundDate.nullish().describe("Date of birth, which the service only stores and returns"),
  ingestion_start: boundDate.nullish().describe("First day whose data the service accepts; null for no limit"),
  ingestion_end: boundDate.nullish().describe("Last day whose data the service accepts; null for no limit"),
});
export type UserDraft = z.output<typeof userDraft>;

/** Request body to change a user. */
export const userPatch = userDraft.partial().extend({ client_user_id: userDraft.shape.client_user_id.nullish() });
export type UserPatch = z.output<typeof userPatch>;

const wireSource = z.object({ logo: z.string(), name: z.string(), slug: z.string() });

/** A user in its wire form. `connected_sources[].provider` repeats `source` for older clients. */
export const wireUser = z
  .object({
    user_id: z.guid(),
    team_id: z.guid(),
    client_user_id: z.string(),
    created_on: z.string(),
    connected_sources: z.array(z.object({ created_on: z.string(), source: wireSource, provider: wireSource })),
    fallback_time_zone: fallbackTimeZone,
    fallback_birth_date: fallbackBirthDate.nullable(),
    ingestion_start: calendarDate.nullable(),
    ingestion_end: calendarDate.nullable(),
  })
  .meta({ id: "User" });
export type WireUser = z.output<typeof wireUser>;

/** Source slug of a fallback set by the team. */
const SET_BY_TEAM = "manual";

/** Time zone of a user without another one. */
const DEFAULT_TIME_ZONE = "UTC";

/**
 * Converts a draft or patch to stored fields; omitted fields stay absent. Null gives the value of a user without the
 * setting: undefined for the date of birth, which removes it.
 */
export function toUserSettings(draft: UserPatch, now: string): Partial<UserRecord> {
  const { fallback_time_zone: zone, fallback_birth_date: birth, ingestion_start, ingestion_end } = draft;
  const origin = { source_slug: SET_BY_TEAM, updated_at: now };
  return {
    ...(zone !== undefined ? { fallback_time_zone: { id: zone ?? DEFAULT_TIME_ZONE, ...origin } } : {}),
    ...(birth !== undefined ? { fallback_birth_date: birth === null ? undefined : { value: birth, ...origin } } : {}),
    ...(ingestion_start !== undefined ? { ingestion_start } : {}),
    ...(ingestion_end !== undefined ? { ingestion_end } : {}),
  };
}

/** Creates an active user. @param now creation time, ISO 8601. */
export function newUser(draft: UserDraft, ids: { userId: string; teamId: string }, now: string): UserRecord {
  return {
    user_id: ids.userId,
    team_id: ids.teamId,
    client_user_id: draft.client_user_id,
    created_on: now,
    lifecycle: "active",
    fallback_time_zone: { id: DEFAULT_TIME_ZONE, source_slug: SET_BY_TEAM, updated_at: now },
    connections: {},
    ...toUserSettings(draft, now),
  };
}

/** The connections of a user with their slugs, oldest first. DynamoDB returns the members of a map in any order. */
export function listConnections({ connections }: Pick<UserRecord, "connections">): [slug: string, Connection][] {
  const ageOf = ([slug, { created_on }]: [string, Connection]) => `${created_on} ${slug}`;
  return Object.entries(connections).toSorted((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1));
}

/** Converts a user to its wire form. @param sourceOf returns name and logo of a provider slug. */
export function toWireUser(user: UserRecord, sourceOf: (slug: string) => z.output<typeof wireSource>): WireUser {
  return {
    user_id: user.user_id,
    team_id: user.team_id,
    client_user_id: user.client_user_id,
    created_on: user.created_on,
    connected_sources: listConnections(user).map(([slug, { created_on }]) => ({
      created_on,
      source: sourceOf(slug),
      provider: sourceOf(slug),
    })),
    fallback_time_zone: user.fallback_time_zone,
    fallback_birth_date: user.fallback_birth_date ?? null,
    ingestion_start: user.ingestion_start ?? null,
    ingestion_end: user.ingestion_end ?? null,
  };
}
