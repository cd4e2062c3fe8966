import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";
import { createLabKey, createLabSender, createOruMessage, requisitionOf } from "../results/result-helpers.ts";
import {
  appointmentStatuses,
  callAppointment,
  createOrderAtStatus,
  listFreeSlots,
  readAppointment,
  readOrderStatuses,
} from "./appointment-helpers.ts";

type Body = Answer["body"];

let service: TestService;
let userId: string;
let send: ReturnType<typeof createLabSender>;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("whose sample is taken by appointment");
  send = createLabSender(service, await createLabKey(service));
});
afterAll(() => service.stop());

/** Books an appointment for an order that waits for its sample. @returns the order, with the key of the slot. */
async function book(): Promise<{ order: Body; booking_key: string }> {
  const order = await createOrderAtStatus(service, userId, "psc");
  const booking_key = (await listFreeSlots(service, "psc")).at(-1)!.booking_key;
  expect((await callAppointment(service, "psc", order.id, "book", { booking_key })).status).toBe(200);
  return { order, booking_key };
}

/**
 * Expects that the appointment of an order is completed, with an event for each status, and that its slot is free. One write
 * makes both statuses, so the first event may carry the appointment with the second one.
 */
async function expectCompleted(order: Body, booking_key: string): Promise<void> {
  await service.settle();
  const appointment = await readAppointment(service, "psc", order.id);
  expect([appointment.status, appointmentStatuses(appointment)]).toEqual([
    "completed",
    ["scheduled", "in_progress", "completed"],
  ]);
  const updates = (await service.inbox("labtest.appointment.updated")).map(({ body }) => body.data);
  const published = updates.filter(({ id }) => id === appointment.id).map(({ event_status }) => event_status);
  expect([published.length, published.includes("completed")]).toEqual([2, true]);
  const other = await createOrderAtStatus(service, userId, "psc");
  expect((await callAppointment(service, "psc", other.id, "book", { booking_key })).status).toBe(200);
}

describe("an appointment is completed with its order", () => {
  test.each(["P", "F"])("by a report of the laboratory with the status %s", async (status) => {
    const { order, booking_key } = await book();
    const message = createOruMessage({ control: `AP-${status}`, requisition: requisitionOf(order), status });
    for (const _ of [1, 2]) expect((await send(message)).code).toBe("AA");
    await expectCompleted(order, booking_key);
  });

  test("by a review that is accepted", async () => {
    const { order, booking_key } = await book();
    await send(createOruMessage({ control: "AP-R", requisition: requisitionOf(order), last_name: "Other" }));
    const { body: page } = await service.call("GET", "/v3/unmatched_result?search_input=other");
    const path = `/v3/unmatched_result/${page.data[0].id}/accept`;
    expect((await service.call("POST", path, { body: { order_id: order.id } })).status).toBe(200);
    expect((await readOrderStatuses(service, order.id)).at(-1)).toBe("completed");
    await expectCompleted(order, booking_key);
  });
});
