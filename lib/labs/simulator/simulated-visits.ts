import type { VisitPartner } from "../../domain/appointments/visit-partner.ts";

/** How long the simulated partners take to confirm a time, milliseconds: long enough to see a booking wait. */
const CONFIRM_IN_MS: Readonly<Record<string, number>> = {
  getlabs: 0,
  phlebfinders: 0,
  quest: 5_000,
  sonora_quest: 300_000,
};

/** Whoever gives appointments, played: takes every one. */
export function simulatedVisits(provider: string): VisitPartner | undefined {
  const confirmsInMs = CONFIRM_IN_MS[provider];
  if (confirmsInMs === undefined) return undefined;
  return { confirmsInMs, take: async () => "confirmed", withdraw: async () => undefined };
}
