import type { LabReport } from "../results/lab-report.ts";
import type { SimulatedReport, SimulationFlags } from "../results/simulated-report.ts";
import type { Order } from "./order-move.ts";
import type { OrderPlacement } from "./order-placement.ts";

/** An order as a laboratory is given it. */
export interface PartnerOrder {
  readonly order: Order;
  readonly placement: OrderPlacement;
  /** The number by which order, requisition and result are known to both. */
  readonly requisition: string;
}

/** What a laboratory did with an order. */
export type Submission =
  /** `sample_id` is the number of the sample where the laboratory gives one at once. */
  | { readonly outcome: "accepted"; readonly sample_id: string | null }
  /** It has the order, and says later what becomes of it. */
  | { readonly outcome: "received" }
  | { readonly outcome: "refused"; readonly reason: string };

/** `too_late`: the sample is there, or nobody knows of the order. */
export type Cancellation = "cancelled" | "too_late";

/** What a laboratory sends of its own accord: a text in one of the formats that are read. */
export interface IncomingMessage {
  readonly format: "hl7v2" | "fhir";
  readonly text: string;
}

/**
 * A laboratory, as orders see it. Calls are made at least once: `requisition` tells two calls of one order from two
 * orders. A call that fails for a time throws, and is made again; a refusal that stays is answered.
 */
export interface LabPartner {
  /** The slug of the laboratory. */
  readonly lab: string;
  submit(order: PartnerOrder): Promise<Submission>;
  cancel(order: PartnerOrder): Promise<Cancellation>;
  /** The requisition as PDF where the laboratory makes its own; undefined where the service draws it. */
  requisition(order: PartnerOrder): Promise<Uint8Array | undefined>;
  /** Reads what the laboratory sent. @throws ReportRefused for what is no report. */
  readReports(incoming: IncomingMessage): readonly LabReport[];
  /** Makes a report up, where the laboratory is played. */
  simulate?(of: SimulatedReport, flags: SimulationFlags): LabReport;
}

/** The number of an order's requisition follows from its id, so that it is the same however often it is submitted. */
export const requisitionNumber = (orderId: string): string => orderId.replaceAll("-", "").slice(0, 16).toUpperCase();

/** Finds the laboratory with a slug; undefined where orders can not be submitted to it. */
export type FindPartner = (lab: string) => LabPartner | undefined;
