/** A value of a response, with the name of its field. */
interface Field {
  readonly name: string;
  readonly value: unknown;
}

/** Lists every field of a JSON value at any depth. The name of a nested field includes its parent: `source.name`. */
export function listFields(json: unknown, around = ""): Field[] {
  if (typeof json !== "object" || json === null) return [];
  if (Array.isArray(json)) return json.flatMap((item) => listFields(item, around));
  return Object.entries(json).flatMap(([key, value]) => [
    { name: `${around}.${key}`, value },
    ...listFields(value, key),
  ]);
}

/** Field names that contain an instant. */
const instants =
  /(?:_at|_on|\.timestamp|\.start|\.end|\.time_start|\.time_end|\.bedtime_\w+|\.session_\w+|(?:activity|body|sleep|data)\.date)$/;
/** Field names that contain one of the service's UUIDs. Ids of time zones belong to another registry. */
const uuids = /(?<!fallback_time_zone)\.(?:id|user_id|team_id|org_id|sleep_id)$/;

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const matchingFields = (fields: readonly Field[], names: RegExp) =>
  fields.filter(({ name, value }) => names.test(name) && value !== null && typeof value !== "number");

/** Counts the instants, and lists those that are not ISO 8601. */
export function checkInstants(fields: readonly Field[]) {
  const all = matchingFields(fields, instants);
  return { found: all.length, bad: all.filter(({ value }) => !ISO_8601.test(String(value))) };
}

/** Counts the identifiers, and lists those that are not UUIDs. */
export function checkUuids(fields: readonly Field[]) {
  const all = matchingFields(fields, uuids);
  return { found: all.length, bad: all.filter(({ value }) => !UUID.test(String(value))) };
}
