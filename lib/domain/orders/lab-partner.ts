import type { LabReport } from "../results/lab-report.ts";
import type { SimulatedReport, SimulationFlags } from "../results/simulated-report.ts";
import type { Order } from "./lifecycle/order-transitions.ts";
import type { OrderPlacement } from "./placement/order-placement.ts";

/** Order as sent to a laboratory. */
export interface PartnerOrder {
  readonly order: Order;
  readonly placement: OrderPlacement;
  /** Requisition number, which order, requisition and result share. */
  readonly requisition: string;
}

/** Outcome of submitting an order to a laboratory. */
export type SubmissionOutcome =
  /** `sample_id` is set when the laboratory assigns it at once. */
  | { readonly outcome: "accepted"; readonly sample_id: string | null }
  /** The laboratory has the order and reports its decision later. */
  | { readonly outcome: "received" }
  | { readonly outcome: "refused"; readonly reason: string };

/** Outcome of a cancellation. `too_late`: the laboratory has the sample, or does not know the order. */
type CancellationOutcome = "cancelled" | "too_late";

/** Message that a laboratory sends unprompted, in one of the supported formats. */
export interface IncomingLabMessage {
  readonly format: "hl7v2" | "fhir";
  readonly text: string;
}

/**
 * Connection to a laboratory. Calls are made at least once; `requisition` identifies the order and makes a repeated
 * call idempotent. A transient failure throws and is retried; a permanent refusal is returned.
 */
export interface LabPartner {
  /** Slug of the laboratory. */
  readonly lab: string;
  submit(order: PartnerOrder): Promise<SubmissionOutcome>;
  cancel(order: PartnerOrder): Promise<CancellationOutcome>;
  /** The laboratory's own requisition as a PDF; undefined when the service draws the requisition. */
  requisition(order: PartnerOrder): Promise<Uint8Array | undefined>;
  /** Parses an incoming message. @throws ReportRefused for a message that is not a readable report. */
  readReports(incoming: IncomingLabMessage): readonly LabReport[];
  /** Generates a synthetic report; only simulated laboratories have it. */
  simulate?(of: SimulatedReport, flags: SimulationFlags): LabReport;
}

/** Derives the requisition number from the order id, so that a repeated submission carries the same number. */
export const requisitionNumber = (orderId: string): string => orderId.replaceAll("-", "").slice(0, 16).toUpperCase();

/** Finds the connection to a laboratory by its slug; undefined when the service has none. */
export type FindLabPartner = (lab: string) => LabPartner | undefined;
