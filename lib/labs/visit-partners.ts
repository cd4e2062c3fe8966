import type { FindVisitPartner } from "../domain/appointments/visit-partner.ts";
import type { Environment } from "../domain/identity.ts";
import { simulatedVisits } from "./simulator/simulated-visits.ts";

/** Who gives appointments in a deployment: in a sandbox all are played, else none is connected yet. */
export const visitPartnersOf =
  (environment: Environment): FindVisitPartner =>
  (provider) =>
    environment === "sandbox" ? simulatedVisits(provider) : undefined;
