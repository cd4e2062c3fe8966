/**
 * Formats an instant with `Z`, which states no local offset; `+00:00` would state that the user is at UTC. An invalid
 * number becomes an invalid text, so that only its own record is rejected.
 */
export function formatUtc(ms: number): string {
  const instant = new Date(ms);
  return Number.isNaN(instant.getTime()) ? "no instant" : instant.toISOString();
}
