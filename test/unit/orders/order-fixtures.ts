import type { CollectionMethod } from "../../../lib/domain/lab-tests/wire-lab-test.ts";
import type { Order } from "../../../lib/domain/orders/lifecycle/order-transitions.ts";
import { collectionMethodOf, type OrderWorkflow } from "../../../lib/domain/orders/lifecycle/transition-table.ts";
import {
  newImportedOrder,
  newOrder,
  newRegistrableKit,
  type OrderContext,
} from "../../../lib/domain/orders/placement/new-order.ts";
import type { OrderDraft } from "../../../lib/domain/orders/placement/order-draft.ts";
import { orderDraft } from "../../../lib/domain/orders/placement/order-draft.ts";

export const ORDERED_AT = "2026-03-02T12:00:00.000Z";
const uuid = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;

export const patientDetails = {
  first_name: "Ada",
  last_name: "Sample",
  dob: "1990-05-17",
  gender: "female",
  phone_number: "+16025550123",
  email: "ada@example.com",
};
export const patientAddress = {
  first_line: "West Lincoln Street 1",
  city: "Phoenix",
  state: "az",
  zip: "85004",
  country: "US",
  access_notes: "Gate code 12",
};

export const glucoseMarker = {
  id: 7,
  name: "Glucose",
  slug: "glucose",
  description: null,
  lab_id: 4,
  provider_id: "483",
  type: "biomarker",
  unit: "mg/dL",
  price: "7.00",
  aoe: null,
  a_la_carte_enabled: true,
  common_tat_days: 1,
  worst_case_tat_days: 3,
  is_orderable: true,
};

export function createLabTest(method: CollectionMethod, slug = "quest"): Order["lab_test"] {
  return {
    id: uuid(5),
    slug: "sugar",
    name: "Sugar",
    sample_type: "serum",
    method,
    price: 7,
    is_active: true,
    status: "active",
    fasting: false,
    lab: {
      id: 4,
      slug,
      name: "A lab",
      first_line_address: "1 Road",
      city: "Phoenix",
      zipcode: "85004",
      collection_methods: [method],
      sample_types: ["serum"],
      logo_url: null,
    },
    markers: [glucoseMarker],
    is_delegated: false,
    auto_generated: false,
    has_collection_instructions: true,
    common_tat_days: 1,
    worst_case_tat_days: 3,
  };
}

export function createOrderContext(method: CollectionMethod, more: Partial<OrderContext> = {}): OrderContext {
  return {
    orderId: uuid(1),
    teamId: uuid(2),
    userId: uuid(3),
    transactionId: uuid(4),
    collectionId: uuid(6),
    shipmentId: uuid(7),
    labTest: createLabTest(method),
    defaultNotes: null,
    healthInsuranceId: null,
    ...more,
  };
}

/** An order draft as the route parses it. */
export const createDraft = (more: Record<string, unknown> = {}): OrderDraft =>
  orderDraft.parse({
    user_id: uuid(3),
    patient_details: patientDetails,
    patient_address: patientAddress,
    lab_test_id: uuid(5),
    ...more,
  });

/** Creates a newly placed order with a workflow. */
export function createPlacedOrder(way: OrderWorkflow, more: Record<string, unknown> = {}): Order {
  const about = createOrderContext(collectionMethodOf(way));
  if (way !== "registrable_testkit") return newOrder(createDraft(more), about, ORDERED_AT);
  const shipping_details = {
    ...patientAddress,
    receiver_name: "Ada Sample",
    phone_number: "+16025550123",
    second_line: null,
  };
  return newRegistrableKit({ user_id: uuid(3), lab_test_id: uuid(5), shipping_details }, about, ORDERED_AT);
}

/** Creates an imported order with a workflow. */
export function createImportedOrder(way: CollectionMethod): Order {
  const { patient_details, patient_address } = createDraft();
  const about = { user_id: uuid(3), order_set: {}, billing_type: "client_bill", sample_id: "S1" } as const;
  return newImportedOrder(
    { ...about, collection_method: way, patient_details, patient_address },
    createOrderContext(way),
    ORDERED_AT,
  );
}
