import { randomUUID } from "node:crypto";
import type { AppointmentStatus } from "../../../../lib/domain/appointments/appointment-states.ts";
import type { LowLevelStatus } from "../../../../lib/domain/orders/lifecycle/order-status.ts";
import type { Answer, RequestOptions, TestService } from "../../../support/service.ts";
import {
  orderRequest,
  orderStatusLevels,
  patientAddress,
  placeOrder,
  sandboxLabTests,
  simulateOrder,
} from "../orders/order-helpers.ts";

type Body = Answer["body"];

/** The two kinds of visits that take a sample by appointment, with path, lab test and collection method. */
export const visitKinds = {
  phlebotomy: { path: "phlebotomy", test: sandboxLabTests.at_home_phlebotomy, method: "at_home_phlebotomy" },
  psc: { path: "psc", test: sandboxLabTests.walk_in_test, method: "walk_in_test" },
} as const;
export type VisitKind = keyof typeof visitKinds;

/** Address of the patient in the shape of the appointment API. */
export const patientUsAddress = {
  first_line: patientAddress.first_line,
  city: patientAddress.city,
  state: patientAddress.state,
  zip_code: patientAddress.zip,
};
/** Code of a site near the patient that offers appointments. */
export const SITE_CODE = "QSY0004";

/** Places an order and advances it to a status before its appointment; with `ordered` it has no requisition. */
export async function createOrderAtStatus(
  service: TestService,
  userId: string,
  way: VisitKind,
  level: "ordered" | "requisition_created" = "requisition_created",
): Promise<Body> {
  const { test, method } = visitKinds[way];
  const order = await placeOrder(service, userId, { order_set: { lab_test_ids: [test] } });
  return level === "ordered" ? order : simulateOrder(service, order.id, `?final_status=received.${method}.${level}`);
}

/** Imports an order that was placed elsewhere and waits for an appointment. */
export async function importOrder(
  service: TestService,
  userId: string,
  way: VisitKind,
  test: string = visitKinds[way].test,
  key: string = service.identity.api_key,
): Promise<Body> {
  const { method } = visitKinds[way];
  const about = { billing_type: "client_bill", collection_method: method, sample_id: randomUUID() };
  const body = { ...orderRequest(userId, { order_set: { lab_test_ids: [test] } }), ...about };
  const answer = await service.call("POST", "/v3/order/import", { body, key });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.order;
}

/** Searches for slots at the patient's home or at the site. */
export function searchAvailability(
  service: TestService,
  way: VisitKind,
  query = "",
  options: RequestOptions = {},
): Promise<Answer> {
  const sites = `lab=quest&site_codes=${SITE_CODE}&`;
  const path = `/v3/order/${way}/appointment/availability?${way === "psc" ? sites : ""}${query}`;
  return service.call("POST", path, way === "psc" ? options : { ...options, body: patientUsAddress });
}

/** Lists free slots, soonest first. */
export async function listFreeSlots(
  service: TestService,
  way: VisitKind,
  query = "",
  options: RequestOptions = {},
): Promise<{ booking_key: string; start: string }[]> {
  const { status, body } = await searchAvailability(service, way, query, options);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.slots.flatMap(({ slots }: Body) => slots);
}

/** Calls an appointment operation of an order. */
export const callAppointment = (
  service: TestService,
  way: VisitKind,
  orderId: string,
  name: "book" | "request" | "reschedule" | "cancel",
  body: unknown,
  options: RequestOptions = {},
): Promise<Answer> =>
  service.call(
    name === "book" || name === "request" ? "POST" : "PATCH",
    `/v3/order/${orderId}/${way}/appointment/${name}`,
    { ...options, body },
  );

/** Reads the appointment of an order; undefined if it has none. */
export async function readAppointment(
  service: TestService,
  way: VisitKind,
  orderId: string,
): Promise<Body | undefined> {
  const { status, body } = await service.call("GET", `/v3/order/${orderId}/${way}/appointment`);
  if (status !== 200 && status !== 404) throw new Error(JSON.stringify(body));
  return status === 200 ? body : undefined;
}

/** Reads the low-level statuses of an order, oldest first. */
export async function readOrderStatuses(service: TestService, orderId: string): Promise<LowLevelStatus[]> {
  return orderStatusLevels((await service.call("GET", `/v3/order/${orderId}`)).body);
}

/** Returns the statuses of an appointment, oldest first. */
export const appointmentStatuses = (appointment: Body): AppointmentStatus[] =>
  appointment.events.map(({ status }: { status: string }) => status);

/** Bodies of cancel requests with any reason. */
export const cancellationRequest = {
  phlebotomy: { cancellation_reason_id: "00000000-0000-4000-a000-000000000001", notes: "Away" },
  psc: { cancellationReasonId: "00000000-0000-4000-a000-000000000101", note: "Away" },
} as const;
