import type { TestService } from "../../../support/service.ts";
import {
  cancellationRequest,
  patientUsAddress,
  searchAvailability,
  type VisitKind,
  visitKinds,
} from "../appointments/appointment-helpers.ts";
import { orderRequest } from "../orders/order-helpers.ts";

/**
 * Calls every appointment route for an order.
 * @param before runs before each request.
 * @param user ends up with an appointment.
 */
export async function callAppointmentRoutes(
  service: TestService,
  before: () => Promise<unknown>,
  user: string,
): Promise<void> {
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    await before();
    const answer = await service.call(method, path, { headers, ...(body === undefined ? {} : { body }) });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    await service.settle();
    return answer.body;
  };
  for (const way of Object.keys(visitKinds) as VisitKind[]) {
    const { test, method } = visitKinds[way];
    const { order } = await ask("POST", "/v3/order", orderRequest(user, { order_set: { lab_test_ids: [test] } }));
    await ask("POST", `/v3/order/${order.id}/test?final_status=received.${method}.requisition_created`);
    const base = `/v3/order/${order.id}/${way}/appointment`;
    await before();
    const { slots } = (await searchAvailability(service, way)).body;
    // Slots of the last day: the clock of functions runs ahead here and passes the slots of today.
    const [first, second, third] = slots.at(-1).slots;
    const keyed = { "x-idempotency-key": "of every route" };
    const book = (slot: { booking_key: string }) =>
      ask("POST", `${base}/book`, { booking_key: slot.booking_key }, way === "psc" ? keyed : {});
    await book(first);
    await ask("GET", base);
    await ask("PATCH", `${base}/reschedule`, { booking_key: second.booking_key });
    await ask("GET", `/v3/order/${way}/appointment/cancellation-reasons`);
    await ask("PATCH", `${base}/cancel`, cancellationRequest[way]);
    if (way === "phlebotomy") {
      await ask("POST", `${base}/request`, { address: patientUsAddress, provider: "phlebfinders" });
      await ask("PATCH", `${base}/cancel`, cancellationRequest[way]);
      await book(third);
      await ask("POST", `/v3/order/${order.id}/cancel`);
    }
    // This appointment stays until its user is erased.
    else await ask("POST", `${base}/book`, { booking_key: third.booking_key });
    const recreated = await ask("POST", "/v3/order", orderRequest(user, { order_set: { lab_test_ids: [test] } }));
    const later = `/v3/order/${recreated.order.id}`;
    await ask("POST", `${later}/test?final_status=collecting_sample.${method}.appointment_scheduled`);
    if (way === "phlebotomy") await ask("POST", `${later}/recreate`, { update_reason: "INCORRECT_LAB" });
    else await ask("POST", `${later}/test?final_status=collecting_sample.${method}.appointment_cancelled`);
  }
}
