import type { FindVisitPartner } from "../domain/appointments/visit-partner.ts";
import type { Environment } from "../domain/identity.ts";
import { simulatedVisits } from "./simulator/simulated-visits.ts";

/** The appointment partners of a deployment. A sandbox simulates all of them; production has none connected yet. */
export const visitPartnersOf =
  (environment: Environment): FindVisitPartner =>
  (provider) =>
    environment === "sandbox" ? simulatedVisits(provider) : undefined;
