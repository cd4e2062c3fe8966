import { expect } from "vitest";
import type { ContractWorld } from "./contract-world.ts";
import type { MethodRows } from "./method-rows.ts";

const walkIn = "00000000-0000-4000-9000-000000000002";
const atHome = "00000000-0000-4000-9000-000000000003";
const phlebotomyReason = "00000000-0000-4000-a000-000000000001";
const pscReason = "00000000-0000-4000-a000-000000000101";
const home = { firstLine: "West Lincoln Street 1", city: "Phoenix", state: "AZ", zipCode: "85004" };
const { zipCode, ...street } = home;

/** Creates an order that needs an appointment. @returns its id. */
async function orderOf(
  world: ContractWorld,
  labTestId: string,
  collectionMethod: "walk_in_test" | "at_home_phlebotomy",
) {
  const { order } = await world.client.labTests.importOrder({
    userId: await world.newUser(),
    patientDetails: {
      firstName: "Ada",
      lastName: "Sample",
      dob: "1990-05-17",
      gender: "female",
      phoneNumber: "+16025550123",
      email: "ada@example.com",
    },
    patientAddress: { ...street, zip: zipCode, country: "US", receiverName: "Ada Sample" },
    billingType: "client_bill",
    orderSet: { labTestIds: [labTestId] },
    collectionMethod,
    sampleId: world.newClientUserId(),
  });
  return order.id;
}
const drawOf = (world: ContractWorld) => orderOf(world, atHome, "at_home_phlebotomy");
const visitOf = (world: ContractWorld) => orderOf(world, walkIn, "walk_in_test");

/** Booking keys of free slots, of a phlebotomist and of a patient service center. */
async function drawKey({ client }: ContractWorld, at = 0): Promise<string> {
  const { slots } = await client.labTests.getPhlebotomyAppointmentAvailability({ body: home });
  return slots.flatMap((day) => day.slots)[at]?.bookingKey ?? "";
}
async function visitKey({ client }: ContractWorld, at = 0): Promise<string> {
  const where = { lab: "quest" as const, zipCode, radius: "25" as const };
  const { slots } = await client.labTests.getPscAppointmentAvailability(where);
  return slots.flatMap((day) => day.slots)[at]?.bookingKey ?? "";
}

/** Creates an order with an appointment. @returns its id. */
async function drawn(world: ContractWorld): Promise<string> {
  const orderId = await drawOf(world);
  await world.client.labTests.bookPhlebotomyAppointment({ orderId, body: { bookingKey: await drawKey(world) } });
  return orderId;
}
async function visited(world: ContractWorld): Promise<string> {
  const orderId = await visitOf(world);
  await world.client.labTests.bookPscAppointment({ orderId, body: { bookingKey: await visitKey(world) } });
  return orderId;
}

const confirmed = { status: "confirmed", eventStatus: "scheduled", canReschedule: true };
const draw = { type: "phlebotomy", provider: "getlabs", ianaTimezone: "America/Phoenix", startAt: expect.any(Date) };
const visit = {
  type: "patient_service_center",
  provider: "quest",
  ianaTimezone: "America/New_York",
  startAt: expect.any(Date),
};
const times = (timezone: string) => ({
  timezone,
  slots: expect.arrayContaining([
    expect.objectContaining({ slots: expect.arrayContaining([expect.objectContaining({ start: expect.any(Date) })]) }),
  ]),
});
const reason = (id: string) => expect.arrayContaining([{ id, name: expect.any(String), isRefundable: true }]);

/** Appointments: search, booking, rescheduling, cancellation. */
export const appointmentRows: MethodRows = {
  labTests: {
    getPhlebotomyAppointmentAvailability: {
      request: () => ({ body: home }),
      shows: (answer) => expect(answer).toMatchObject(times("America/Phoenix")),
    },
    bookPhlebotomyAppointment: {
      request: async (world) => ({
        orderId: await drawOf(world),
        body: { bookingKey: await drawKey(world), appointmentNotes: "Ring twice" },
      }),
      shows: (answer) => expect(answer).toMatchObject({ ...confirmed, ...draw, appointmentNotes: "Ring twice" }),
    },
    requestPhlebotomyAppointment: {
      request: async (world) => ({ orderId: await drawOf(world), address: home, provider: "phlebfinders" as const }),
      shows: (answer) => expect(answer).toMatchObject({ status: "pending", provider: "phlebfinders", address: home }),
    },
    reschedulePhlebotomyAppointment: {
      request: async (world) => ({ orderId: await drawn(world), body: { bookingKey: await drawKey(world, 1) } }),
      shows: (answer) => {
        expect(answer).toMatchObject({ ...confirmed, ...draw });
        expect(answer.events).toHaveLength(2);
      },
    },
    cancelPhlebotomyAppointment: {
      request: async (world) => ({
        orderId: await drawn(world),
        cancellationReasonId: phlebotomyReason,
        notes: "Away",
      }),
      shows: (answer) => expect(answer).toMatchObject({ status: "cancelled", canReschedule: false }),
    },
    getPhlebotomyAppointmentCancellationReason: {
      request: () => ({}),
      shows: (answer) => expect(answer).toEqual(reason(phlebotomyReason)),
    },
    getPhlebotomyAppointment: {
      request: async (world) => ({ orderId: await drawn(world) }),
      shows: (answer) => expect(answer).toMatchObject({ ...confirmed, ...draw }),
    },
    getPscAppointmentAvailability: {
      request: () => ({ lab: "quest" as const, zipCode, radius: "25" as const, allowStale: true }),
      shows: (answer) => {
        expect(answer).toMatchObject(times("America/New_York"));
        expect(answer.slots[0]?.location).toMatchObject({ code: expect.any(String), distance: expect.any(Number) });
      },
    },
    bookPscAppointment: {
      request: async (world) => ({
        orderId: await visitOf(world),
        body: { bookingKey: await visitKey(world) },
        idempotencyKey: "a key of this visit",
      }),
      shows: (answer) => expect(answer).toMatchObject({ ...confirmed, ...visit }),
    },
    reschedulePscAppointment: {
      request: async (world) => ({ orderId: await visited(world), body: { bookingKey: await visitKey(world, 1) } }),
      shows: (answer) => expect(answer).toMatchObject({ ...confirmed, ...visit }),
    },
    cancelPscAppointment: {
      request: async (world) => ({ orderId: await visited(world), cancellationReasonId: pscReason, note: "Away" }),
      shows: (answer) => expect(answer).toMatchObject({ status: "cancelled", canReschedule: false }),
    },
    getPscAppointmentCancellationReason: {
      request: () => ({}),
      shows: (answer) => expect(answer).toEqual(reason(pscReason)),
    },
    getPscAppointment: {
      request: async (world) => ({ orderId: await visited(world) }),
      shows: (answer) => expect(answer).toMatchObject({ ...confirmed, ...visit }),
    },
  },
};
