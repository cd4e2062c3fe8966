import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";
import { simulateOrder } from "../orders/order-helpers.ts";
import { findItemsContaining } from "../support/stored-items.ts";
import {
  appointmentStatuses,
  callAppointment,
  cancellationRequest,
  createOrderAtStatus,
  importOrder,
  listFreeSlots,
  patientUsAddress,
  readAppointment,
  readOrderStatuses,
  searchAvailability,
  type VisitKind,
  visitKinds,
} from "./appointment-helpers.ts";

type Body = Answer["body"];
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const kinds = Object.keys(visitKinds) as VisitKind[];

let service: TestService;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("who is visited");
});
afterAll(() => service.stop());

const dayIn = (days: number) => new Date(service.cloud.clock.now() + days * DAY_MS).toISOString().slice(0, 10);
let nextDay = 20;
/** Returns a day on which no other test of this file books. */
const aDay = () => `start_date=${dayIn(nextDay++)}`;
const levels = (orderId: string) => readOrderStatuses(service, orderId);

describe("a booking key", () => {
  test("is valid for an hour", async () => {
    const order = await importOrder(service, userId, "psc");
    const [slot] = await listFreeSlots(service, "psc", aDay());
    await service.advance(HOUR_MS);
    const late = await callAppointment(service, "psc", order.id, "book", { booking_key: slot!.booking_key });
    expect([late.status, late.body.code]).toEqual([400, "not_possible"]);
  });

  test("is bound to one team, place and time; a key of another team or an altered key is refused", {
    tags: "deep",
  }, async () => {
    const team = await service.createTeam("who have keys of their own");
    const order = await importOrder(service, userId, "phlebotomy");
    const [own] = await listFreeSlots(service, "phlebotomy", aDay());
    const [theirs] = await listFreeSlots(service, "phlebotomy", aDay(), { key: team.key });
    const elsewhere = await service.call("POST", "/v3/order/phlebotomy/appointment/availability", {
      body: { ...patientUsAddress, zip_code: "10001" },
    });
    const key = own!.booking_key;
    const altered = Array.from(
      key,
      (character, at) => key.slice(0, at) + (character === "A" ? "B" : "A") + key.slice(at + 1),
    ).filter((text) => text !== key);
    const tried = [theirs!.booking_key, elsewhere.body.slots[0].slots[0].booking_key, "none", ...altered];
    for (const booking_key of tried)
      expect([
        booking_key,
        (await callAppointment(service, "phlebotomy", order.id, "book", { booking_key })).status,
      ]).toEqual([booking_key, 400]);
    expect((await callAppointment(service, "phlebotomy", order.id, "book", { booking_key: key })).status).toBe(200);
  });
});

test("a phlebotomist without bookable slots gets a request, and comes once a time is found", {
  tags: "deep",
}, async () => {
  const order = await createOrderAtStatus(service, userId, "phlebotomy");
  const asked = { address: patientUsAddress, provider: "phlebfinders", appointment_notes: "Mornings" };
  const wrong = [
    { ...asked, provider: "getlabs" },
    { ...asked, address: { ...patientUsAddress, zip_code: "99501" } },
  ];
  for (const body of wrong)
    expect((await callAppointment(service, "phlebotomy", order.id, "request", body)).status).toBe(400);
  const unknown = await callAppointment(service, "phlebotomy", order.id, "request", { ...asked, provider: "zz" });
  expect([unknown.status, unknown.body.detail[0].loc]).toEqual([422, ["body", "provider"]]);
  const { status, body } = await callAppointment(service, "phlebotomy", order.id, "request", asked);
  expect([status, body.status, body.start_at, body.appointment_notes]).toEqual([200, "pending", null, "Mornings"]);
  expect(body).toMatchObject({
    provider: "phlebfinders",
    can_reschedule: false,
    address: { access_notes: "Gate code 12" },
  });
  expect((await callAppointment(service, "phlebotomy", order.id, "request", asked)).status).toBe(400);
  expect((await levels(order.id)).at(-1)).toBe("appointment_pending");
  await simulateOrder(service, order.id, "?final_status=collecting_sample.at_home_phlebotomy.appointment_scheduled");
  expect(await readAppointment(service, "phlebotomy", order.id)).toMatchObject({
    id: body.id,
    status: "confirmed",
    start_at: expect.any(String),
  });
});

describe("without a requisition", () => {
  test.each(kinds)(
    "a slot of %s is reserved, and booked when the requisition arrives",
    { tags: "deep" },
    async (way) => {
      const order = await createOrderAtStatus(service, userId, way, "ordered");
      const [slot] = await listFreeSlots(service, way, aDay());
      const { body } = await callAppointment(service, way, order.id, "book", { booking_key: slot!.booking_key });
      expect([body.status, await levels(order.id)]).toEqual(["reserved", ["ordered"]]);
      const { method } = visitKinds[way];
      const moved = await simulateOrder(service, order.id, `?final_status=received.${method}.requisition_created`);
      expect(await levels(moved.id)).toEqual([
        "ordered",
        "requisition_created",
        "appointment_pending",
        "appointment_scheduled",
      ]);
      expect(await readAppointment(service, way, order.id)).toMatchObject({ id: body.id, status: "confirmed" });
    },
  );

  test("a reservation expires after eight hours and frees the slot", { tags: "deep" }, async () => {
    const order = await createOrderAtStatus(service, userId, "phlebotomy", "ordered");
    const day = aDay();
    const [slot] = await listFreeSlots(service, "phlebotomy", day);
    await callAppointment(service, "phlebotomy", order.id, "book", { booking_key: slot!.booking_key });
    await service.advance(8 * HOUR_MS - 60_000);
    expect((await readAppointment(service, "phlebotomy", order.id)).status).toBe("reserved");
    await service.advance(4 * 60_000);
    expect((await readAppointment(service, "phlebotomy", order.id)).status).toBe("cancelled");
    expect((await listFreeSlots(service, "phlebotomy", day)).map(({ start }) => start)).toContain(slot!.start);
    expect(await levels(order.id)).toEqual(["ordered"]);
  });
});

describe("a booking at a patient service center", () => {
  const book = async (orderId: string, more: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const [slot] = await listFreeSlots(service, "psc", aDay());
    const body = { booking_key: slot!.booking_key, ...more };
    return { body, answer: await callAppointment(service, "psc", orderId, "book", body, { headers }) };
  };

  test("takes effect once per idempotency key, for 14 days [endpoints-known-by-name-18]", async () => {
    const order = await importOrder(service, userId, "psc");
    const headers = { "x-idempotency-key": "one visit" };
    const { body, answer } = await book(order.id, {}, headers);
    const again = () => callAppointment(service, "psc", order.id, "book", body, { headers });
    const answers = await Promise.all([again(), again()]);
    for (const one of answers) expect([one.status, one.body]).toEqual([200, answer.body]);
    const other = { ...body, appointment_notes: "Another body" };
    expect((await callAppointment(service, "psc", order.id, "book", other, { headers })).status).toBe(409);
    expect(appointmentStatuses(await readAppointment(service, "psc", order.id))).toEqual(["scheduled"]);
    await service.advance(13 * DAY_MS);
    expect((await again()).status).toBe(200);
    await service.advance(2 * DAY_MS);
    expect((await again()).status).toBe(400);
  });

  test("takes effect once for concurrent requests with one idempotency key, which all get its response", async () => {
    const orders = await Promise.all(Array.from({ length: 8 }, () => importOrder(service, userId, "psc")));
    const slots = await listFreeSlots(service, "psc", aDay());
    const groups = orders.map(async ({ id }, at) => {
      const headers = { "x-idempotency-key": `concurrent visit ${at}` };
      const body = { booking_key: slots[at]!.booking_key };
      const copies = [1, 2, 3].map(() => callAppointment(service, "psc", id, "book", body, { headers }));
      return (await Promise.all(copies)).map(({ status, body }) => [status, body.order_id, body.id]);
    });
    for (const [at, answers] of (await Promise.all(groups)).entries()) {
      expect(answers[0]).toEqual([200, orders[at].id, expect.any(String)]);
      expect(answers).toEqual(Array(3).fill(answers[0]));
    }
  });

  test("is confirmed after its response, or within it for callers that wait [endpoints-known-by-name-19]", async () => {
    const order = await importOrder(service, userId, "psc");
    const { body, answer } = await book(order.id, { async_confirmation: true });
    expect([answer.status, answer.body.status, (await levels(order.id)).at(-1)]).toEqual([
      200,
      "pending",
      "appointment_pending",
    ]);
    const second = await callAppointment(service, "psc", order.id, "book", body);
    expect([second.status, second.body.detail]).toEqual([
      400,
      "The order already has an appointment: cancel it first.",
    ]);
    await service.advance(10_000);
    const confirmed = await readAppointment(service, "psc", order.id);
    expect(confirmed).toMatchObject({ status: "confirmed", start_at: answer.body.start_at });
    expect((await levels(order.id)).at(-1)).toBe("appointment_scheduled");
    const patient = await importOrder(service, userId, "psc");
    const wait = { async_confirmation: true, sync_confirmation_timeout_millisecond: 10_000 };
    expect((await book(patient.id, wait)).answer.body.status).toBe("confirmed");
  });

  test("is cancelled when it is not confirmed in time", { tags: "deep" }, async () => {
    const markers = await service.call("GET", "/v3/lab_tests/markers?lab_slug=sonora_quest&size=1");
    const made = await service.call("POST", "/v3/lab_tests", {
      body: { name: "Slow", description: "Slow", method: "walk_in_test", marker_ids: [markers.body.markers[0].id] },
    });
    const order = await importOrder(service, userId, "psc", made.body.id);
    const times = await service.call(
      "POST",
      "/v3/order/psc/appointment/availability?lab=sonora_quest&zip_code=85004&radius=100",
    );
    const [slot] = times.body.slots.flatMap(({ slots }: Body) => slots).slice(-1);
    const body = {
      booking_key: slot.booking_key,
      async_confirmation: true,
      async_confirmation_timeout_millisecond: 60_000,
    };
    expect((await callAppointment(service, "psc", order.id, "book", body)).body.status).toBe("pending");
    await service.advance(3 * 60_000);
    expect((await readAppointment(service, "psc", order.id)).status).toBe("cancelled");
    expect((await levels(order.id)).at(-1)).toBe("appointment_cancelled");
  });

  test("accepts slots from a stale list, and verifies them at booking [endpoints-known-by-name-17]", async () => {
    const day = aDay();
    const [slot] = await listFreeSlots(service, "psc", day);
    const [order, other] = [await importOrder(service, userId, "psc"), await importOrder(service, userId, "psc")];
    await callAppointment(service, "psc", order.id, "book", { booking_key: slot!.booking_key });
    const starts = async (query: string) => (await listFreeSlots(service, "psc", query)).map(({ start }) => start);
    expect(await starts(`${day}&allow_stale=true`)).toContain(slot!.start);
    expect((await callAppointment(service, "psc", other.id, "book", { booking_key: slot!.booking_key })).status).toBe(
      400,
    );
    expect(await starts(day)).not.toContain(slot!.start);
  });

  test("has options that each team enables separately [versioning-10]", async () => {
    const { teamId, key } = await service.createTeam("whose features come one by one");
    const user = await service.createUser("of another team", key);
    const order = await importOrder(service, user, "psc", undefined, key);
    const enable = async (...features: string[]) => {
      const { org_id } = service.identity;
      const path = `/v1/org/${org_id}/team/${teamId}`;
      const answer = await service.manage("PATCH", path, { body: { sandbox: { features } } });
      expect(answer.status).toBe(200);
      await service.advance(61_000);
    };
    const options = { key };
    const stale = () => searchAvailability(service, "psc", "allow_stale=true", options);
    const keyed = { key, headers: { "x-idempotency-key": "a key" } };
    const book = (more: object, given: object = options) =>
      callAppointment(service, "psc", order.id, "book", { booking_key: "none", ...more }, given);
    const statuses = async () => [
      (await searchAvailability(service, "psc", "", options)).status,
      (await stale()).status,
      (await book({}, keyed)).status,
      (await book({ async_confirmation: true })).status,
      (await book({})).status,
    ];
    expect(await statuses()).toEqual([403, 403, 403, 403, 403]);
    await enable("psc_scheduling");
    expect(await statuses()).toEqual([200, 403, 403, 403, 400]);
    await enable("psc_scheduling", "psc_cached_availability");
    expect(await statuses()).toEqual([200, 200, 403, 403, 400]);
    await enable("psc_scheduling", "psc_idempotency");
    expect(await statuses()).toEqual([200, 403, 400, 403, 400]);
    await enable("psc_scheduling", "psc_async_confirmation");
    expect(await statuses()).toEqual([200, 403, 403, 400, 400]);
  });
});

describe("cancelling an order", () => {
  test.each(kinds)("of %s cancels the appointment at home, and leaves the visit", async (way) => {
    const order = await createOrderAtStatus(service, userId, way);
    const [slot] = await listFreeSlots(service, way, aDay());
    await callAppointment(service, way, order.id, "book", { booking_key: slot!.booking_key });
    expect((await service.call("POST", `/v3/order/${order.id}/cancel`)).status).toBe(200);
    expect((await readAppointment(service, way, order.id)).status).toBe(way === "psc" ? "confirmed" : "cancelled");
    const cancelled = await callAppointment(service, way, order.id, "cancel", cancellationRequest[way]);
    expect([cancelled.status, (await levels(order.id)).at(-1)]).toEqual([way === "psc" ? 200 : 400, "cancelled"]);
  });
});

test("erasing a user erases the appointment and frees its slot", { tags: "deep" }, async () => {
  const user = await service.createUser("who goes");
  const order = await importOrder(service, user, "phlebotomy");
  const day = aDay();
  const [slot] = await listFreeSlots(service, "phlebotomy", day);
  const { body } = await callAppointment(service, "phlebotomy", order.id, "book", { booking_key: slot!.booking_key });
  await service.settle();
  expect((await findItemsContaining(service, body.id)).length).toBeGreaterThan(1);
  await service.call("DELETE", `/v2/user/${user}`);
  expect(await readAppointment(service, "phlebotomy", order.id)).toBeUndefined();
  await service.advance(8 * DAY_MS);
  expect(await findItemsContaining(service, body.id)).toEqual([]);
  expect((await listFreeSlots(service, "phlebotomy", day)).map(({ start }) => start)).toContain(slot!.start);
});
