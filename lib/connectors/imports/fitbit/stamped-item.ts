const STAMP = /^(\d\d)\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d)$/;

/** An item of a JSON file: `05/01/24 06:00:00` as ISO 8601 without a zone, and its value. */
export function readStamped(item: unknown): { readonly time: string; readonly value: unknown } | undefined {
  const { dateTime, value } = Object(item);
  const [, month, day, year, time] = STAMP.exec(String(dateTime)) ?? [];
  return time === undefined ? undefined : { time: `20${year}-${month}-${day}T${time}`, value };
}

/** Adds an offset such as `+05:30` to a UTC time, so that the time states the local offset. */
export function toIsoTime(utc: string, offset: string | undefined): string {
  const ms = Date.parse(utc);
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset ?? "") ?? [];
  if (Number.isNaN(ms) || sign === undefined) return utc;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60_000 : 60_000);
  return `${new Date(ms + offsetMs).toISOString().slice(0, -1)}${offset}`;
}
