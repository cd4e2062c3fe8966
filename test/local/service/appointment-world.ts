import { randomUUID } from "node:crypto";
import type { Answer, RequestOptions, TestService } from "../../support/service.ts";
import { draftFor, given, home, levelsOf, place, simulate } from "./order-world.ts";

type Body = Answer["body"];

/** The two kinds of visits that take a sample by appointment, with path, lab test and collection method. */
export const ways = {
  phlebotomy: { path: "phlebotomy", test: given.at_home_phlebotomy, method: "at_home_phlebotomy" },
  psc: { path: "psc", test: given.walk_in_test, method: "walk_in_test" },
} as const;
export type Way = keyof typeof ways;

/** Address of the patient in the shape of the appointment API. */
export const usAddress = {
  first_line: home.first_line,
  city: home.city,
  state: home.state,
  zip_code: home.zip,
};
/** Code of a site near the patient that offers appointments. */
export const SITE = "QSY0004";

/** Places an order and advances it to a status before its appointment; with `ordered` it has no requisition. */
export async function orderFor(
  service: TestService,
  userId: string,
  way: Way,
  level: "ordered" | "requisition_created" = "requisition_created",
): Promise<Body> {
  const { test, method } = ways[way];
  const order = await place(service, userId, { order_set: { lab_test_ids: [test] } });
  return level === "ordered" ? order : simulate(service, order.id, `?final_status=received.${method}.${level}`);
}

/** Imports an order that was placed elsewhere and waits for an appointment. */
export async function importedOrder(
  service: TestService,
  userId: string,
  way: Way,
  test: string = ways[way].test,
  key: string = service.identity.api_key,
): Promise<Body> {
  const { method } = ways[way];
  const about = { billing_type: "client_bill", collection_method: method, sample_id: randomUUID() };
  const body = { ...draftFor(userId, { order_set: { lab_test_ids: [test] } }), ...about };
  const answer = await service.call("POST", "/v3/order/import", { body, key });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.order;
}

/** Searches for slots at the patient's home or at the site. */
export function search(service: TestService, way: Way, query = "", options: RequestOptions = {}): Promise<Answer> {
  const sites = `lab=quest&site_codes=${SITE}&`;
  const path = `/v3/order/${way}/appointment/availability?${way === "psc" ? sites : ""}${query}`;
  return service.call("POST", path, way === "psc" ? options : { ...options, body: usAddress });
}

/** Lists free slots, soonest first. */
export async function freeTimes(
  service: TestService,
  way: Way,
  query = "",
  options: RequestOptions = {},
): Promise<{ booking_key: string; start: string }[]> {
  const { status, body } = await search(service, way, query, options);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.slots.flatMap(({ slots }: Body) => slots);
}

/** Calls an appointment operation of an order. */
export const command = (
  service: TestService,
  way: Way,
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
export async function appointmentOf(service: TestService, way: Way, orderId: string): Promise<Body | undefined> {
  const { status, body } = await service.call("GET", `/v3/order/${orderId}/${way}/appointment`);
  if (status !== 200 && status !== 404) throw new Error(JSON.stringify(body));
  return status === 200 ? body : undefined;
}

/** Reads the low-level statuses of an order, oldest first. */
export async function levelsNow(service: TestService, orderId: string): Promise<string[]> {
  return levelsOf((await service.call("GET", `/v3/order/${orderId}`)).body);
}

/** Returns the statuses of an appointment, oldest first. */
export const statusesOf = (appointment: Body): string[] =>
  appointment.events.map(({ status }: { status: string }) => status);

/** Bodies of cancel requests with any reason. */
export const cancellation = {
  phlebotomy: { cancellation_reason_id: "00000000-0000-4000-a000-000000000001", notes: "Away" },
  psc: { cancellationReasonId: "00000000-0000-4000-a000-000000000101", note: "Away" },
} as const;
