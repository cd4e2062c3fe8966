import type { AppointmentPartner } from "../../domain/appointments/appointment-partner.ts";

/** Delay until a simulated partner confirms a time, milliseconds; long enough to observe a pending booking. */
const CONFIRMATION_DELAYS_MS: Readonly<Record<string, number>> = {
  getlabs: 0,
  phlebfinders: 0,
  quest: 5_000,
  sonora_quest: 300_000,
};

/** A simulated appointment partner, which accepts every appointment. */
export function simulatedVisitPartner(provider: string): AppointmentPartner | undefined {
  const confirmsInMs = CONFIRMATION_DELAYS_MS[provider];
  if (confirmsInMs === undefined) return undefined;
  return { confirmationDelayMs: confirmsInMs, book: async () => "confirmed", cancel: async () => undefined };
}
