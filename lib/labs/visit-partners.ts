import type { FindAppointmentPartner } from "../domain/appointments/appointment-partner.ts";
import type { Environment } from "../domain/management/records.ts";
import { simulatedVisitPartner } from "./simulator/simulated-visit-partner.ts";

/** The appointment partners of a deployment. A sandbox simulates all of them; production has none connected yet. */
export const visitPartnersFor =
  (environment: Environment): FindAppointmentPartner =>
  (provider) =>
    environment === "sandbox" ? simulatedVisitPartner(provider) : undefined;
