import type { Environment } from "../domain/identity.ts";
import type { FindPartner } from "../domain/orders/lab-partner.ts";
import { simulatedPartner } from "./simulator/simulated-partner.ts";

/** The laboratories that a deployment submits orders to: in a sandbox each one is played, else none is connected yet. */
export const partnersOf =
  (environment: Environment): FindPartner =>
  (lab) =>
    environment === "sandbox" ? simulatedPartner(lab) : undefined;
