import { clinicalNotes } from "./clinical-notes.ts";
import type { ImportDraft, KitRegistration, OrderDraft, RegistrableKitDraft } from "./order-draft.ts";
import { currentLevel, moveTo, type Order, OrderMoveRefused, wayOf } from "./order-move.ts";
import { addressOf, detailsOf, patientOf, shippingOf, shippingToPatient } from "./order-parts.ts";
import { firstStatuses } from "./order-states.ts";
import { fullStatus, stageOf } from "./order-status.ts";

/** Order context: the ids, owner and lab test that the service assigns to a new order. */
export interface OrderGround {
  readonly orderId: string;
  readonly teamId: string;
  readonly userId: string;
  readonly transactionId: string;
  readonly collectionId: string;
  readonly shipmentId: string;
  readonly labTest: Order["lab_test"];
  /** Clinical notes that the lab account adds to every requisition. */
  readonly defaultNotes: string | null;
  /** Id of the insurance sent with the order, or of the user's stored insurance. */
  readonly healthInsuranceId: string | null;
}

/** Creates an order in `ordered`. It is dispatched at once, or on the date of `activate_by`. */
export function newOrder(draft: OrderDraft, ground: OrderGround, at: string): Order {
  const isKit = ground.labTest.method === "testkit";
  return {
    ...blankOrder(ground, firstStatuses.placed, at),
    patient_details: patientOf(draft.patient_details),
    patient_address: addressOf(draft.patient_address),
    shipping_details: isKit ? shippingToPatient(draft.patient_details, draft.patient_address) : null,
    clinical_notes: clinicalNotes(ground.labTest.lab?.slug, draft.clinical_notes, ground.defaultNotes),
    physician: physicianOf(draft.physician),
    priority: draft.priority,
    activate_by: draft.activate_by ?? null,
    passthrough: draft.passthrough ?? null,
    billing_type: draft.billing_type,
    icd_codes: draft.icd_codes ?? null,
  };
}

/** Creates an order that was placed elsewhere. It has a sample id and needs no requisition. */
export function importedOrder(draft: ImportDraft, ground: OrderGround, at: string): Order {
  return {
    ...blankOrder(ground, firstStatuses.imported, at),
    patient_details: patientOf(draft.patient_details),
    patient_address: addressOf(draft.patient_address),
    clinical_notes: clinicalNotes(ground.labTest.lab?.slug, null, ground.defaultNotes),
    physician: physicianOf(draft.physician),
    billing_type: draft.billing_type,
    sample_id: draft.sample_id,
  };
}

/** Creates the order of a registrable test kit, which ships before its patient is known. */
export function registrableKit(draft: RegistrableKitDraft, ground: OrderGround, at: string): Order {
  return {
    ...blankOrder(ground, firstStatuses.placed, at),
    shipping_details: shippingOf(draft.shipping_details),
    passthrough: draft.passthrough ?? null,
  };
}

/**
 * Registers the patient of a registrable test kit.
 * @throws OrderMoveRefused for an order of another workflow, or one that does not await registration.
 */
export function registerKit(order: Order, draft: KitRegistration, at: string): Order {
  if (wayOf(order) !== "registrable_testkit") throw new OrderMoveRefused(order, "registered");
  const registered = moveTo(order, "registered", at);
  return {
    ...registered,
    patient_details: patientOf(draft.patient_details),
    patient_address: addressOf(draft.patient_address),
    physician: physicianOf(draft.physician),
    sample_id: draft.sample_id,
    user_id: draft.user_id ?? order.user_id,
  };
}

/** Whether an order is due for dispatch: it is in its initial status and `activate_by` is unset or has come. */
export const isDue = (order: Order, today: string): boolean =>
  currentLevel(order) === firstStatuses.placed && (order.activate_by === null || order.activate_by <= today);

function physicianOf(draft: OrderDraft["physician"] | KitRegistration["physician"]): Order["physician"] {
  return draft ? { first_name: draft.first_name, last_name: draft.last_name, npi: draft.npi } : null;
}

/** Creates an order with defaults in every field, in the low-level status `level`. */
export function blankOrder(ground: OrderGround, level: string, at: string): Order {
  const { method } = ground.labTest;
  const event = { id: 1, created_at: at, status: fullStatus(method, level), status_detail: null };
  return {
    id: ground.orderId,
    team_id: ground.teamId,
    user_id: ground.userId,
    patient_details: null,
    patient_address: null,
    lab_test: ground.labTest,
    details: detailsOf(method, ground, at),
    sample_id: null,
    notes: null,
    clinical_notes: null,
    created_at: at,
    updated_at: at,
    events: [event],
    last_event: event,
    status: stageOf(method, level),
    physician: null,
    health_insurance_id: ground.healthInsuranceId,
    requisition_form_url: null,
    priority: false,
    shipping_details: null,
    activate_by: null,
    passthrough: null,
    billing_type: "client_bill",
    icd_codes: null,
    has_abn: false,
    interpretation: null,
    has_missing_results: null,
    expected_result_by_date: null,
    worst_case_result_by_date: null,
    origin: "initial",
    order_transaction: firstTransaction(ground, level, at),
  };
}

function firstTransaction(
  { transactionId, orderId }: OrderGround,
  level: string,
  at: string,
): Order["order_transaction"] {
  const member = {
    id: orderId,
    low_level_status: level,
    low_level_status_created_at: at,
    origin: "initial",
    parent_id: null,
    created_at: at,
    updated_at: at,
  };
  return { id: transactionId, status: "active", orders: [member] };
}
