import type { CollectionMethod } from "../../lab-tests/wire-lab-test.ts";
import type { Order } from "../lifecycle/order-transitions.ts";
import type { PatientAddressDraft, PatientDraft, ShippingDraft } from "./patient-draft.ts";

/** Converts the patient of a request to the stored form. */
export function toOrderPatient(draft: PatientDraft): NonNullable<Order["patient_details"]> {
  const proxy = draft.medical_proxy;
  return {
    first_name: draft.first_name,
    last_name: draft.last_name,
    dob: `${draft.dob}T00:00:00Z`,
    gender: draft.gender,
    phone_number: draft.phone_number,
    email: draft.email,
    medical_proxy: proxy ? { ...proxy, address: omitZipCodeAlias(proxy.address) } : null,
    race: draft.race ?? null,
    ethnicity: draft.ethnicity ?? null,
    sexual_orientation: draft.sexual_orientation ?? null,
    gender_identity: draft.gender_identity ?? null,
  };
}

/** Drops the alias `zip_code`: an address within an order has `zip` only. */
function omitZipCodeAlias<Place extends { zip_code: string }>({
  zip_code: _,
  ...address
}: Place): Omit<Place, "zip_code"> {
  return address;
}

/** Converts the patient's address of a request to the stored form. */
export function toOrderAddress(draft: PatientAddressDraft): NonNullable<Order["patient_address"]> {
  return {
    ...draft,
    second_line: draft.second_line ?? null,
    access_notes: draft.access_notes ?? null,
    phone_number: draft.phone_number ?? null,
  };
}

/** Converts the shipping address of a request to the stored form. */
export function toOrderShipping(draft: ShippingDraft): NonNullable<Order["shipping_details"]> {
  return { ...draft, second_line: draft.second_line ?? null };
}

/** Derives the shipping address of a test kit from the patient's address. */
export function toPatientShipping(patient: PatientDraft, address: PatientAddressDraft): Order["shipping_details"] {
  const { access_notes: _, ...delivery } = toOrderAddress(address);
  return {
    ...delivery,
    receiver_name: delivery.receiver_name || `${patient.first_name} ${patient.last_name}`,
    phone_number: delivery.phone_number ?? patient.phone_number,
  };
}

/** Creates the collection details of a new order. */
export function newOrderDetails(
  type: CollectionMethod,
  ids: { collectionId: string; shipmentId: string },
  at: string,
): Order["details"] {
  const collection = { id: ids.collectionId, created_at: at, updated_at: at };
  if (type === "walk_in_test" || type === "at_home_phlebotomy") {
    return { type, data: { ...collection, appointment_id: null } };
  }
  if (type === "on_site_collection") return { type, data: collection };
  const tracking = {
    outbound_tracking_number: null,
    outbound_tracking_url: null,
    inbound_tracking_number: null,
    inbound_tracking_url: null,
    outbound_courier: null,
    inbound_courier: null,
    notes: null,
  };
  return { type, data: { ...collection, shipment: { id: ids.shipmentId, ...tracking } } };
}
