import type { HighLevelStatus } from "../orders/lifecycle/order-status.ts";
import type { Order } from "../orders/lifecycle/order-transitions.ts";
import type { WireResult } from "../results/wire-result.ts";
import type { FhirResource, Reference } from "./resources.ts";
import { systems } from "./systems.ts";

export const patientReference = (userId: string): Reference => ({ reference: `Patient/${userId}`, type: "Patient" });
export const orderReference = ({ id }: Order): Reference => ({
  reference: `ServiceRequest/${id}`,
  type: "ServiceRequest",
});
export const specimenReference = ({ id }: Order): Reference => ({ reference: `Specimen/${id}`, type: "Specimen" });

/** Statuses of a request by status of an order (FHIR R4, request-status). A failed order ends without a result. */
const requestStatuses: Readonly<Record<HighLevelStatus, string>> = {
  received: "active",
  collecting_sample: "active",
  sample_with_lab: "active",
  completed: "completed",
  cancelled: "revoked",
  failed: "revoked",
};

/** The status of the ServiceRequest of an order. */
export const requestStatus = ({ status }: Order): string => (status === null ? "unknown" : requestStatuses[status]);

/** Converts an order to a ServiceRequest. */
export function toServiceRequest(order: Order): FhirResource {
  const { id, user_id, lab_test: test, physician, icd_codes, order_transaction: transaction } = order;
  const notes = [order.notes, order.clinical_notes].flatMap((text) => (text ? [{ text }] : []));
  const resource = {
    resourceType: "ServiceRequest" as const,
    id,
    meta: { lastUpdated: order.updated_at },
    identifier: [{ system: systems.orderId, value: id }],
    ...(transaction ? { requisition: { system: systems.orderTransactionId, value: transaction.id } } : {}),
    status: requestStatus(order),
    intent: "order",
    category: [{ text: "Laboratory" }],
    priority: order.priority ? "urgent" : "routine",
    code: { coding: [{ system: systems.labTest, code: test.id }], text: test.name },
    subject: patientReference(user_id),
    authoredOn: order.created_at,
    ...(physician ? { requester: toRequester(physician) } : {}),
    ...(test.lab ? { performer: [{ display: test.lab.name }] } : {}),
    ...(icd_codes?.length
      ? { reasonCode: icd_codes.map((code) => ({ coding: [{ system: systems.icd10, code }], text: code })) }
      : {}),
    ...(notes.length > 0 ? { note: notes } : {}),
  };
  return resource;
}

const toRequester = ({ first_name, last_name, npi }: NonNullable<Order["physician"]>): Reference => ({
  type: "Practitioner",
  identifier: { system: systems.npi, value: npi },
  display: `${first_name} ${last_name}`,
});

/** Converts the sample of an order to a Specimen; undefined before the order has a sample. */
export function toSpecimen(order: Order, result: WireResult | undefined): FhirResource | undefined {
  const sampleId = order.sample_id ?? (result?.metadata.specimen_number || null);
  if (sampleId === null) return undefined;
  const { date_collected: collected, date_received: received } = result?.metadata ?? {};
  const resource = {
    resourceType: "Specimen" as const,
    id: order.id,
    accessionIdentifier: { system: systems.sampleId, value: sampleId },
    type: { text: order.lab_test.sample_type.replaceAll("_", " ") },
    subject: patientReference(order.user_id),
    ...(received ? { receivedTime: received } : {}),
    request: [orderReference(order)],
    ...(collected ? { collection: { collectedDateTime: collected } } : {}),
  };
  return resource;
}
