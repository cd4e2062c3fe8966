/**
 * Formats an instant with `Z`, which states no local offset; `+00:00` would state that the user is at UTC. An invalid
 * number becomes an invalid text, so that only its own record is rejected.
 */
export function formatUtc(ms: number): string {
  const instant = new Date(ms);
  return Number.isNaN(instant.getTime()) ? "no instant" : instant.toISOString();
}

/**
 * The time of a sample that a provider states for a date alone: midnight UTC. Its stated offset of 0 keeps it on that
 * date, whatever the user's time zone is.
 */
export const midnightOf = (date: string) => ({ timestamp: `${date}T00:00:00Z`, timezone_offset: 0 }) as const;
