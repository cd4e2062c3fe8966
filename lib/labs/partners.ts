import type { Environment } from "../domain/identity.ts";
import type { FindPartner } from "../domain/orders/lab-partner.ts";
import { simulatedPartner } from "./simulator/simulated-partner.ts";

/** The lab partners of a deployment. A sandbox simulates every laboratory; production has none connected yet. */
export const partnersOf =
  (environment: Environment): FindPartner =>
  (lab) =>
    environment === "sandbox" ? simulatedPartner(lab) : undefined;
