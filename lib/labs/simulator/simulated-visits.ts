import type { VisitPartner } from "../../domain/appointments/visit-partner.ts";

/** Delay until a simulated partner confirms a time, milliseconds; long enough to observe a pending booking. */
const CONFIRM_IN_MS: Readonly<Record<string, number>> = {
  getlabs: 0,
  phlebfinders: 0,
  quest: 5_000,
  sonora_quest: 300_000,
};

/** A simulated appointment partner, which accepts every appointment. */
export function simulatedVisits(provider: string): VisitPartner | undefined {
  const confirmsInMs = CONFIRM_IN_MS[provider];
  if (confirmsInMs === undefined) return undefined;
  return { confirmsInMs, take: async () => "confirmed", withdraw: async () => undefined };
}
