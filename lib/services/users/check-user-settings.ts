import { isPossibleBirthDate } from "../../domain/users/demographics/person.ts";
import type { UserPatch, UserRecord } from "../../domain/users/user.ts";
import { ValidationFailed } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";

/** The ingestion dates of a user as stored. */
export type StoredBounds = Pick<UserRecord, "ingestion_start" | "ingestion_end">;

/**
 * Checks new settings of a user together with the stored ones.
 * @throws ValidationFailed for ingestion that ends before it starts, and for a birth in the future in every time zone.
 */
export function checkUserSettings(settings: UserPatch, stored: StoredBounds = {}): void {
  const { fallback_birth_date: birth } = settings;
  if (birth && !isPossibleBirthDate(birth, ports().clock.now()))
    throw ValidationFailed.at(["body", "fallback_birth_date"], "The date of birth is in the future");
  if (settings.ingestion_start === undefined && settings.ingestion_end === undefined) return;
  const { ingestion_start: start, ingestion_end: end } = { ...stored, ...settings };
  if (!start || !end || start <= end) return;
  const field = settings.ingestion_end ? "ingestion_end" : "ingestion_start";
  const problem = field === "ingestion_end" ? "Before ingestion_start" : "After ingestion_end";
  throw ValidationFailed.at(["body", field], problem);
}
