/** Formats an instant as local time with offset: `2026-01-02T03:04:05.000+01:00`. */
export function formatLocalTime(ms: number, offsetS: number): string {
  return formatWallTime(ms, offsetS) + formatOffset(offsetS);
}

/** Formats an instant as local time without offset: `2026-01-02T03:04:05.000`. */
export function formatWallTime(ms: number, offsetS: number): string {
  return new Date(ms + offsetS * 1000).toISOString().slice(0, -1);
}

/** Formats a UTC offset, such as `+01:00` or `-03:30`. */
export function formatOffset(offsetS: number): string {
  const minutes = Math.abs(offsetS) / 60;
  const two = (value: number) => String(value).padStart(2, "0");
  return `${offsetS < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
