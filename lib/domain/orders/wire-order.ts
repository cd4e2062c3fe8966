import * as z from "zod";
import { typedOpenEnum, typedString } from "../../contract/open-enum.ts";
import { billingTypes } from "../lab-tests/lab-account.ts";
import { wireLabTest } from "../lab-tests/wire-lab-test.ts";
import {
  highLevelStatuses,
  type LowLevelStatus,
  orderOrigins,
  orderStatusDetails,
  orderStatuses,
  transactionStatuses,
} from "./lifecycle/order-status.ts";
import { wirePatient, wirePatientAddress, wireShippingAddress } from "./wire-patient.ts";

const instant = z.iso.datetime({ offset: true });
const date = z.iso.date().nullable();
const text = z.string().nullable();

/** Status event of an order. */
const orderEvent = z
  .object({
    id: z.int(),
    created_at: instant,
    status: typedOpenEnum(orderStatuses),
    status_detail: typedOpenEnum(orderStatusDetails).nullable(),
  })
  .meta({ id: "OrderEvent" });

const collection = { id: z.guid(), created_at: instant, updated_at: instant };

const shipment = z.object({
  id: z.guid(),
  outbound_tracking_number: text,
  outbound_tracking_url: text,
  inbound_tracking_number: text,
  inbound_tracking_url: text,
  outbound_courier: text,
  inbound_courier: text,
  notes: text,
});

/** Collection details of an order, by collection method. */
const details = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("walk_in_test"),
    data: z.object({ ...collection, appointment_id: z.guid().nullable() }).nullable(),
  }),
  z.object({
    type: z.literal("testkit"),
    data: z.object({ ...collection, shipment: shipment.nullable() }).nullable(),
  }),
  z.object({
    type: z.literal("at_home_phlebotomy"),
    data: z.object({ ...collection, appointment_id: z.guid().nullable() }).nullable(),
  }),
  z.object({ type: z.literal("on_site_collection"), data: z.object(collection).nullable() }),
]);

const origin = typedOpenEnum(orderOrigins);

/** Order transaction: an initial order with its redraws and recreations. */
const transaction = z.object({
  id: z.guid(),
  status: typedOpenEnum(transactionStatuses),
  orders: z.array(
    z.object({
      id: z.guid(),
      low_level_status: typedString<LowLevelStatus>().nullable(),
      low_level_status_created_at: instant.nullable(),
      origin: origin.nullable(),
      parent_id: z.guid().nullable(),
      created_at: instant,
      updated_at: instant,
    }),
  ),
});

/** Ordering physician. */
export const wirePhysician = z.object({ first_name: z.string(), last_name: z.string(), npi: z.string() });

/** Known interpretations of a result. */
export const interpretations = ["normal", "abnormal", "critical", "unknown"] as const;

/** Order, as responses and events carry it. `last_event` equals the last element of `events`. */
export const wireOrder = z
  .object({
    id: z.guid(),
    team_id: z.guid(),
    user_id: z.guid(),
    patient_details: wirePatient.nullable(),
    patient_address: wirePatientAddress.nullable(),
    lab_test: wireLabTest,
    details,
    sample_id: text,
    notes: text,
    clinical_notes: text,
    created_at: instant,
    updated_at: instant,
    events: z.array(orderEvent),
    last_event: orderEvent,
    status: typedOpenEnum(highLevelStatuses).nullable(),
    physician: wirePhysician.nullable(),
    health_insurance_id: z.guid().nullable(),
    requisition_form_url: text,
    priority: z.boolean(),
    shipping_details: wireShippingAddress.nullable(),
    activate_by: date,
    passthrough: text,
    billing_type: typedOpenEnum(billingTypes),
    icd_codes: z.array(z.string()).nullable(),
    has_abn: z.boolean(),
    interpretation: typedOpenEnum(interpretations).nullable(),
    has_missing_results: z.boolean().nullable(),
    expected_result_by_date: date,
    worst_case_result_by_date: date,
    origin: origin.nullable(),
    order_transaction: transaction.nullable(),
  })
  .meta({ id: "Order" });

/** Payload of the event for a critical result. */
export const wireCriticalResult = z
  .object({
    order_id: z.guid(),
    sample_id: z.string(),
    status: z.string(),
    interpretation: typedOpenEnum(interpretations),
    team_id: z.guid(),
    user_id: z.guid(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: "CriticalResult" });
