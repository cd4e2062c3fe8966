import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clockAt } from "../../../../lib/domain/appointments/wall-clock.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import {
  callAppointment,
  cancellationRequest,
  createOrderAtStatus,
  importOrder,
  listFreeSlots,
  patientUsAddress,
  readAppointment,
  readOrderStatuses,
  SITE_CODE,
  searchAvailability,
  type VisitKind,
  visitKinds,
} from "./appointment-helpers.ts";

type Body = Answer["body"];
const DAY_MS = 86_400_000;
const kinds = Object.keys(visitKinds) as VisitKind[];

let service: TestService;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("who is visited");
});
afterAll(() => service.stop());

const dayIn = (days: number) => new Date(service.cloud.clock.now() + days * DAY_MS).toISOString().slice(0, 10);
/** Returns the query for a day that no other test of this file books. */
let nextDay = 2;
const aDay = () => `start_date=${dayIn(nextDay++ + 1)}`;
const eventsOf = async (id: string) =>
  (await service.inbox()).filter(
    ({ body }) => body.event_type.startsWith("labtest.appointment") && body.data.id === id,
  );

describe("slots", () => {
  test.each(kinds)("of %s cover 14 days from start_date on [endpoints-known-by-name-16] [limits-13]", async (way) => {
    const { body } = await searchAvailability(service, way);
    const days = new Set(body.slots.map(({ date }: Body) => date));
    expect(days.size).toBe(14);
    const later = (await searchAvailability(service, way, `start_date=${dayIn(30)}`)).body.slots;
    expect([later.length, later[0].date, later.at(-1).date]).toEqual([14, dayIn(30), dayIn(43)]);
    const zone = way === "psc" ? "America/New_York" : "America/Phoenix";
    expect(body.timezone).toBe(zone);
    const [first] = later[0].slots;
    expect(clockAt(zone, Date.parse(first.start))).toEqual({ date: dayIn(30), minutes: 7 * 60 });
    expect(Date.parse(first.end) - Date.parse(first.start)).toBe(way === "psc" ? 1_200_000 : 3_600_000);
    expect((await searchAvailability(service, way, "start_date=2020-01-01")).status).toBe(400);
    expect((await searchAvailability(service, way, "start_date=")).status).toBe(422);
  });

  test.each(kinds)("of %s are none beyond the bookable 90 days", async (way) => {
    const search = async (day: string) => {
      const { status, body } = await searchAvailability(service, way, `start_date=${day}`);
      return [status, body.slots?.map(({ date }: Body) => date)];
    };
    const end = [85, 86, 87, 88].map(dayIn);
    expect((await search(dayIn(85)))[1].slice(0, end.length)).toEqual(end);
    for (const day of [dayIn(91), "9000-01-01", "9999-12-18", "9999-12-31"])
      expect([day, ...(await search(day))]).toEqual([day, 200, []]);
    for (const day of ["0000-01-01", "0001-01-01"]) expect([day, (await search(day))[0]]).toEqual([day, 400]);
    const [last] = await listFreeSlots(service, way, `start_date=${dayIn(88)}`);
    const order = await importOrder(service, userId, way);
    expect((await callAppointment(service, way, order.id, "book", { booking_key: last!.booking_key })).status).toBe(
      200,
    );
  });

  test("of phlebotomists are empty where no partner has bookable slots", async () => {
    for (const zip_code of ["99501", "00000"]) {
      const { status, body } = await service.call("POST", "/v3/order/phlebotomy/appointment/availability", {
        body: { ...patientUsAddress, zip_code },
      });
      expect([status, body.slots]).toEqual([200, []]);
    }
  });

  test("of patient service centers are refused with 400 for an invalid, missing or excessive list of sites, and for a zip code alone", async () => {
    const ask = (query: string) => service.call("POST", `/v3/order/psc/appointment/availability?${query}`);
    const wrong = [
      "lab=quest",
      "lab=quest&zip_code=85004",
      "lab=quest&site_codes=NONE",
      "lab=quest&site_codes=A&site_codes=B&site_codes=C&site_codes=D",
      `lab=sonora_quest&site_codes=${SITE_CODE}`,
    ];
    for (const query of wrong) expect([query, (await ask(query)).status]).toEqual([query, 400]);
    for (const query of ["", "lab=labcorp&zip_code=85004&radius=25", "lab=quest&zip_code=85004&radius=30"])
      expect([query, (await ask(query)).status]).toEqual([query, 422]);
    const { body } = await ask("lab=quest&zip_code=85004&radius=25");
    const codes = [...new Set(body.slots.map(({ location }: Body) => location.code))];
    expect(codes).toContain(SITE_CODE);
    expect(body.slots[0].location).toMatchObject({ distance: expect.any(Number), iana_timezone: "America/New_York" });
  });
});

describe.each(kinds)("an appointment of %s", (way) => {
  test("is booked, rescheduled and cancelled; its order follows, and both send events [endpoints-known-by-name-05]", async () => {
    const order = await createOrderAtStatus(service, userId, way);
    const day = aDay();
    const [first, second] = await listFreeSlots(service, way, day);
    const booked = await callAppointment(service, way, order.id, "book", {
      booking_key: first!.booking_key,
      appointment_notes: "Ring twice",
    });
    // An attempt that comes after the next change carries its data.
    await service.settle();
    expect([booked.status, booked.body.status, booked.body.event_status]).toEqual([200, "confirmed", "scheduled"]);
    expect(booked.body).toMatchObject({ start_at: first!.start, appointment_notes: "Ring twice", user_id: userId });
    expect(await readAppointment(service, way, order.id)).toEqual(booked.body);
    expect((await listFreeSlots(service, way, day)).map(({ start }) => start)).not.toContain(first!.start);
    const moved = await callAppointment(service, way, order.id, "reschedule", {
      booking_key: second!.booking_key,
      appointment_notes: "Knock",
    });
    await service.settle();
    expect([moved.status, moved.body.start_at, moved.body.appointment_notes]).toEqual([200, second!.start, "Knock"]);
    const cancelled = await callAppointment(service, way, order.id, "cancel", cancellationRequest[way]);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, "cancelled"]);
    expect((await callAppointment(service, way, order.id, "cancel", cancellationRequest[way])).status).toBe(400);
    expect((await readOrderStatuses(service, order.id)).slice(2)).toEqual([
      "appointment_pending",
      "appointment_scheduled",
      "appointment_scheduled",
      "appointment_cancelled",
    ]);
    const events = await eventsOf(booked.body.id);
    // Events of one appointment may arrive in any order.
    const byName = Object.groupBy(events, ({ body }) => `${body.event_type} ${body.data.event_status}`);
    expect(Object.keys(byName).toSorted()).toEqual([
      "labtest.appointment.created scheduled",
      "labtest.appointment.updated cancelled",
      "labtest.appointment.updated scheduled",
    ]);
    expect(events).toHaveLength(3);
    expect(byName["labtest.appointment.updated scheduled"]?.[0]?.body.data).toEqual(moved.body);
    expect((await service.call("GET", `/v3/order/${order.id}`)).body.details.data.appointment_id).toBe(booked.body.id);
    const again = await callAppointment(service, way, order.id, "book", { booking_key: first!.booking_key });
    expect([again.status, again.body.status]).toEqual([200, "confirmed"]);
    expect(again.body.id).not.toBe(booked.body.id);
  });

  test("that is booked is rescheduled or cancelled before another one, as the refusal says", async () => {
    const [ordered, order] = [
      await createOrderAtStatus(service, userId, way, "ordered"),
      await importOrder(service, userId, way),
    ];
    const [first, second, third, fourth] = (await listFreeSlots(service, way, aDay())).map((slot) => slot.booking_key);
    const call = async (id: string, name: "book" | "reschedule" | "cancel", booking_key?: string) => {
      const request = name === "cancel" ? cancellationRequest[way] : { booking_key };
      const { status, body } = await callAppointment(service, way, id, name, request);
      return [status, body.status ?? body.detail];
    };
    expect(await call(order.id, "book", first)).toEqual([200, "confirmed"]);
    const refusal = "The order already has an appointment:";
    expect(await call(order.id, "book", second)).toEqual([400, `${refusal} reschedule or cancel it.`]);
    expect(await call(order.id, "reschedule", second)).toEqual([200, "confirmed"]);
    expect(await call(ordered.id, "book", third)).toEqual([200, "reserved"]);
    expect(await call(ordered.id, "book", fourth)).toEqual([400, `${refusal} cancel it first.`]);
    expect((await call(ordered.id, "reschedule", fourth))[0]).toBe(400);
    expect(await call(ordered.id, "cancel")).toEqual([200, "cancelled"]);
    expect(await call(ordered.id, "book", fourth)).toEqual([200, "reserved"]);
    await service.call("POST", `/v3/order/${order.id}/cancel`);
    expect(await call(order.id, "book", first)).toEqual([
      400,
      "An order in status cancelled cannot get an appointment.",
    ]);
  });

  test("is unique for its order and only for orders of its kind", { tags: "deep" }, async () => {
    const order = await createOrderAtStatus(service, userId, way);
    const [first, second] = await listFreeSlots(service, way, aDay());
    expect(await readAppointment(service, way, order.id)).toBeUndefined();
    expect((await callAppointment(service, way, order.id, "cancel", cancellationRequest[way])).status).toBe(404);
    const answers = await Promise.all(
      [first, second, first].map((slot) =>
        callAppointment(service, way, order.id, "book", { booking_key: slot!.booking_key }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    const other = way === "psc" ? "phlebotomy" : "psc";
    expect(await readAppointment(service, other, order.id)).toBeUndefined();
    const elsewhere = await listFreeSlots(service, other, aDay());
    expect(
      (await callAppointment(service, other, order.id, "book", { booking_key: elsewhere[0]!.booking_key })).status,
    ).toBe(400);
    expect(
      (await callAppointment(service, way, randomUUID(), "book", { booking_key: first!.booking_key })).status,
    ).toBe(404);
  });

  test("accepts only the published cancellation reasons", { tags: "deep" }, async () => {
    const { body } = await service.call("GET", `/v3/order/${way}/appointment/cancellation-reasons`);
    const [id] = Object.values(cancellationRequest[way]);
    expect(body).toContainEqual({ id, name: expect.any(String), is_refundable: true });
    const order = await createOrderAtStatus(service, userId, way);
    const [first] = await listFreeSlots(service, way, aDay());
    await callAppointment(service, way, order.id, "book", { booking_key: first!.booking_key });
    const [field = ""] = Object.keys(cancellationRequest[way]);
    const refused = await callAppointment(service, way, order.id, "cancel", { [field]: randomUUID() });
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ["body", field]]);
  });
});

test("one of 50 concurrent bookings of a slot at a patient service center succeeds, and the others are refused", {
  tags: "deep",
}, async () => {
  const numbers = Array.from({ length: 50 }, (_, number) => number);
  const orders = await Promise.all(numbers.map(() => importOrder(service, userId, "psc")));
  const [slot] = await listFreeSlots(service, "psc", aDay());
  const answers = await Promise.all(
    orders.map(({ id }) => callAppointment(service, "psc", id, "book", { booking_key: slot!.booking_key })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(49).fill(400)]);
  expect(new Set(answers.filter(({ status }) => status === 400).map(({ body }) => body.detail))).toEqual(
    new Set(["This time is already booked: search for times again."]),
  );
  const winner = orders[answers.findIndex(({ status }) => status === 200)];
  const levels = await Promise.all(orders.map(({ id }) => readOrderStatuses(service, id)));
  expect(levels.filter((of) => of.includes("appointment_scheduled"))).toHaveLength(1);
  await callAppointment(service, "psc", winner?.id, "cancel", cancellationRequest.psc);
  const loser = orders.find(({ id }) => id !== winner?.id);
  expect((await callAppointment(service, "psc", loser.id, "book", { booking_key: slot!.booking_key })).status).toBe(
    200,
  );
});
