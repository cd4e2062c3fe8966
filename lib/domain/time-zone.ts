/** Whether the text names a zone of the IANA time zone database, as known to this runtime. */
export function isTimeZone(id: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: id }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}
