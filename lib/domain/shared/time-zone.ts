/** Whether the runtime knows a time zone of this identifier: an IANA name, or an offset such as `+05:30`. */
export function isTimeZone(id: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: id }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}

/** Whether this is an IANA name of a time zone in any case, and no offset. */
export const isTimeZoneName = (id: string): boolean => !/^[+-]/.test(id) && isTimeZone(id);

const formatsByZone = new Map<string, Intl.DateTimeFormat>();

/** Offset from UTC of an IANA time zone at an instant (epoch ms), seconds. */
export function utcOffsetAt(timeZone: string, ms: number): number {
  const format =
    formatsByZone.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  formatsByZone.set(timeZone, format);
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(ms)) ?? [];
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * (sign === "-" ? -1 : 1);
}
