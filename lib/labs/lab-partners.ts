import type { Environment } from "../domain/management/records.ts";
import type { FindLabPartner } from "../domain/orders/lab-partner.ts";
import { simulatedPartner } from "./simulator/simulated-partner.ts";

/** The lab partners of a deployment. A sandbox simulates every laboratory; production has none connected yet. */
export const labPartnersFor =
  (environment: Environment): FindLabPartner =>
  (lab) =>
    environment === "sandbox" ? simulatedPartner(lab) : undefined;
