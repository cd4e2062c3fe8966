/** Whether the text names a zone of the IANA time zone database, as known to this runtime. */
export function isTimeZone(id: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: id }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}

const offsets = new Map<string, Intl.DateTimeFormat>();

/** The offset from UTC that holds in a zone of the IANA database at an instant (epoch ms), in seconds. */
export function offsetAt(timeZone: string, ms: number): number {
  const format = offsets.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  offsets.set(timeZone, format);
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(ms)) ?? [];
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * (sign === "-" ? -1 : 1);
}
