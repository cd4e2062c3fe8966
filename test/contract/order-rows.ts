import { expect } from "vitest";
import type { Rows } from "./row.ts";
import type { World } from "./world.ts";

/** The lab tests that every sandbox team has. */
const walkIn = "00000000-0000-4000-9000-000000000002";

const patient = {
  firstName: "Ada",
  lastName: "Sample",
  dob: "1990-05-17",
  gender: "female" as const,
  phoneNumber: "+16025550123",
  email: "ada@example.com",
};
const address = { firstLine: "West Lincoln Street 1", city: "Phoenix", state: "AZ", zip: "85004", country: "US" };
const ofPatient = { patientDetails: patient, patientAddress: address };
const placed = { status: "success", message: expect.any(String) };

/** A new order. @returns its id. */
async function orderOf(world: World, labTestId = walkIn): Promise<string> {
  const request = { userId: await world.newUser(), ...ofPatient, orderSet: { labTestIds: [labTestId] } };
  const { order } = await world.client.labTests.createOrder(request);
  return order.id;
}

/** Orders: placed, read, moved on. */
export const orderRows: Rows = {
  labTests: {
    createOrder: {
      request: async (world) => ({
        userId: await world.newUser(),
        ...ofPatient,
        orderSet: { labTestIds: [walkIn] },
        consents: [{ consentType: "terms-of-use" }],
        idempotencyKey: "a key of this order",
      }),
      shows: (answer, { userId }) => {
        expect(answer).toMatchObject(placed);
        expect(answer.order).toMatchObject({
          labTest: { id: walkIn, method: "walk_in_test" },
          patientDetails: { firstName: "Ada", dob: new Date("1990-05-17T00:00:00Z") },
          patientAddress: address,
          status: "received",
          lastEvent: { id: 1, status: "received.walk_in_test.ordered" },
          orderTransaction: { status: "active", orders: [{ origin: "initial" }] },
        });
        expect(answer.order.userId).not.toBe(userId);
      },
    },
    getOrder: {
      request: async (world) => ({ orderId: await orderOf(world) }),
      shows: (answer) => expect(answer).toMatchObject({ status: "received", details: { type: "walk_in_test" } }),
    },
    getOrders: {
      request: async (world) => ({ orderIds: [await orderOf(world)], status: ["ordered"], page: 1, size: 5 }),
      shows: (answer) => {
        expect(answer).toMatchObject({ total: 1, page: 1, size: 5, orders: [{ status: "received" }] });
      },
    },
    cancelOrder: {
      request: async (world) => ({ orderId: await orderOf(world) }),
      shows: (answer) => expect(answer).toMatchObject({ ...placed, order: { status: "cancelled" } }),
    },
    simulateOrderProcess: {
      request: async (world) => ({
        orderId: await orderOf(world),
        finalStatus: "completed.walk_in_test.completed",
        delay: 1,
        body: { interpretation: "abnormal" },
      }),
      shows: (answer) => expect(answer).toEqual({ success: true }),
    },
  },
};
