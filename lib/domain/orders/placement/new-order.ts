import { fullStatusOf, highLevelStatusOf, type LowLevelStatus } from "../lifecycle/order-status.ts";
import {
  lowLevelStatus,
  type Order,
  OrderTransitionRefused,
  transitionTo,
  workflowOf,
} from "../lifecycle/order-transitions.ts";
import { initialStatuses } from "../lifecycle/transition-table.ts";
import { clinicalNotes } from "./clinical-notes.ts";
import type { ImportDraft, KitRegistration, OrderDraft, RegistrableKitDraft } from "./order-draft.ts";
import { newOrderDetails, toOrderAddress, toOrderPatient, toOrderShipping, toPatientShipping } from "./order-fields.ts";

/** Order context: the ids, owner and lab test that the service assigns to a new order. */
export interface OrderContext {
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
export function newOrder(draft: OrderDraft, context: OrderContext, at: string): Order {
  const isKit = context.labTest.method === "testkit";
  return {
    ...blankOrder(context, initialStatuses.placed, at),
    patient_details: toOrderPatient(draft.patient_details),
    patient_address: toOrderAddress(draft.patient_address),
    shipping_details: isKit ? toPatientShipping(draft.patient_details, draft.patient_address) : null,
    clinical_notes: clinicalNotes(context.labTest.lab?.slug, draft.clinical_notes, context.defaultNotes),
    physician: toOrderPhysician(draft.physician),
    priority: draft.priority,
    activate_by: draft.activate_by ?? null,
    passthrough: draft.passthrough ?? null,
    billing_type: draft.billing_type,
    icd_codes: draft.icd_codes ?? null,
  };
}

/** Creates an order that was placed elsewhere. It has a sample id and needs no requisition. */
export function newImportedOrder(draft: ImportDraft, context: OrderContext, at: string): Order {
  return {
    ...blankOrder(context, initialStatuses.imported, at),
    patient_details: toOrderPatient(draft.patient_details),
    patient_address: toOrderAddress(draft.patient_address),
    clinical_notes: clinicalNotes(context.labTest.lab?.slug, null, context.defaultNotes),
    physician: toOrderPhysician(draft.physician),
    billing_type: draft.billing_type,
    sample_id: draft.sample_id,
  };
}

/** Creates the order of a registrable test kit, which ships before its patient is known. */
export function newRegistrableKit(draft: RegistrableKitDraft, context: OrderContext, at: string): Order {
  return {
    ...blankOrder(context, initialStatuses.placed, at),
    shipping_details: toOrderShipping(draft.shipping_details),
    passthrough: draft.passthrough ?? null,
  };
}

/**
 * Registers the patient of a registrable test kit.
 * @param insuranceId id of the insurance sent with the registration.
 * @throws OrderTransitionRefused for an order of another workflow, or one that does not await registration.
 */
export function registerKit(order: Order, draft: KitRegistration, insuranceId: string | null, at: string): Order {
  if (workflowOf(order) !== "registrable_testkit") throw new OrderTransitionRefused(order, "registered");
  const registered = transitionTo(order, "registered", at);
  return {
    ...registered,
    patient_details: toOrderPatient(draft.patient_details),
    patient_address: toOrderAddress(draft.patient_address),
    physician: toOrderPhysician(draft.physician),
    sample_id: draft.sample_id,
    user_id: draft.user_id ?? order.user_id,
    health_insurance_id: insuranceId,
  };
}

/** Whether an order is due for dispatch: it is in its initial status and `activate_by` is unset or has come. */
export const isDueForDispatch = (order: Order, today: string): boolean =>
  lowLevelStatus(order) === initialStatuses.placed && (order.activate_by === null || order.activate_by <= today);

function toOrderPhysician(draft: OrderDraft["physician"] | KitRegistration["physician"]): Order["physician"] {
  return draft ? { first_name: draft.first_name, last_name: draft.last_name, npi: draft.npi } : null;
}

/** Creates an order with defaults in every field, in the low-level status `level`. */
export function blankOrder(context: OrderContext, level: LowLevelStatus, at: string): Order {
  const { method } = context.labTest;
  const event = { id: 1, created_at: at, status: fullStatusOf(method, level), status_detail: null };
  return {
    id: context.orderId,
    team_id: context.teamId,
    user_id: context.userId,
    patient_details: null,
    patient_address: null,
    lab_test: context.labTest,
    details: newOrderDetails(method, context, at),
    sample_id: null,
    notes: null,
    clinical_notes: null,
    created_at: at,
    updated_at: at,
    events: [event],
    last_event: event,
    status: highLevelStatusOf(method, level),
    physician: null,
    health_insurance_id: context.healthInsuranceId,
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
    order_transaction: newTransaction(context, level, at),
  };
}

type TransactionMember = NonNullable<Order["order_transaction"]>["orders"][number];

function newTransaction(
  { transactionId, orderId }: OrderContext,
  level: LowLevelStatus,
  at: string,
): Order["order_transaction"] {
  const member: TransactionMember = {
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
