import type { Junction } from "@junction-api/sdk";
import { expect } from "vitest";
import type { ContractWorld } from "./contract-world.ts";
import type { MethodRows } from "./method-rows.ts";

/** Lab tests that every sandbox team has. */
const kit = "00000000-0000-4000-9000-000000000001";
const walkIn = "00000000-0000-4000-9000-000000000002";
const onSite = "00000000-0000-4000-9000-000000000004";

const patient = {
  firstName: "Ada",
  lastName: "Sample",
  dob: "1990-05-17",
  gender: "female" as const,
  phoneNumber: "+16025550123",
  email: "ada@example.com",
};
const address = { firstLine: "West Lincoln Street 1", city: "Phoenix", state: "AZ", zip: "85004", country: "US" };
const patientRequest = { patientDetails: patient, patientAddress: address };
const placed = { status: "success", message: expect.any(String) };

interface OrderMore {
  readonly activateBy?: string;
  readonly physician?: { firstName: string; lastName: string; npi: string };
}

/** Creates an order. @returns its id. */
export async function createOrder(world: ContractWorld, labTestId = walkIn, more: OrderMore = {}): Promise<string> {
  const request = { userId: await world.newUser(), ...patientRequest, orderSet: { labTestIds: [labTestId] }, ...more };
  const { order } = await world.client.labTests.createOrder(request);
  return order.id;
}

/** A registrable kit: an order without a patient. */
const kitRequest = (userId: string) => ({
  userId,
  labTestId: kit,
  shippingDetails: { ...address, receiverName: "Ada Sample", phoneNumber: patient.phoneNumber },
});

/** Moves an order to a status by simulation. */
async function simulateStatus(world: ContractWorld, orderId: string, finalStatus: Junction.OrderStatus): Promise<void> {
  await world.client.labTests.simulateOrderProcess({ orderId, finalStatus });
  await world.service.settle();
}

/** Orders: placement, reads, status changes. */
export const orderRows: MethodRows = {
  labTests: {
    createOrder: {
      request: async (world) => ({
        userId: await world.newUser(),
        ...patientRequest,
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
      request: async (world) => ({ orderId: await createOrder(world) }),
      shows: (answer) => expect(answer).toMatchObject({ status: "received", details: { type: "walk_in_test" } }),
    },
    getOrders: {
      request: async (world) => ({ orderIds: [await createOrder(world)], status: ["ordered"], page: 1, size: 5 }),
      shows: (answer) => {
        expect(answer).toMatchObject({ total: 1, page: 1, size: 5, orders: [{ status: "received" }] });
      },
    },
    cancelOrder: {
      request: async (world) => ({ orderId: await createOrder(world) }),
      shows: (answer) => expect(answer).toMatchObject({ ...placed, order: { status: "cancelled" } }),
    },
    simulateOrderProcess: {
      request: async (world) => ({
        orderId: await createOrder(world),
        finalStatus: "completed.walk_in_test.completed",
        delay: 1,
        body: { interpretation: "abnormal" },
      }),
      shows: (answer) => expect(answer).toEqual({ success: true }),
    },
    updateOrder: {
      request: async (world) => ({
        orderId: await createOrder(world, walkIn, { activateBy: "2099-01-01" }),
        activateBy: null,
      }),
      shows: ({ order, ...rest }) => {
        expect(rest).toEqual(placed);
        expect(order.activateBy ?? null).toBeNull();
      },
    },
    importOrder: {
      request: async (world) => ({
        userId: await world.newUser(),
        patientDetails: patient,
        patientAddress: { ...address, receiverName: "Ada Sample" },
        billingType: "client_bill",
        orderSet: { labTestIds: [walkIn] },
        collectionMethod: "walk_in_test",
        sampleId: "sample of another system",
      }),
      shows: (answer) => expect(answer).toMatchObject({ ...placed, order: { sampleId: "sample of another system" } }),
    },
    updateOnSiteCollectionOrderDrawCompleted: {
      request: async (world) => {
        const orderId = await createOrder(world, onSite);
        await simulateStatus(world, orderId, "received.on_site_collection.requisition_created");
        return { orderId };
      },
      shows: (answer) => expect(answer).toMatchObject({ ...placed, order: { status: "sample_with_lab" } }),
    },
    getOrderPscInfo: {
      request: async (world) => ({ orderId: await createOrder(world), radius: "50" as const }),
      shows: (answer) => {
        expect(answer).toMatchObject({ labId: 4, slug: "quest", patientServiceCenters: expect.any(Array) });
        expect(answer.patientServiceCenters[0]).toMatchObject({ distance: expect.any(Number) });
      },
    },
  },
  order: {
    resendEvents: {
      request: async (world) => ({ orderIds: [await createOrder(world)] }),
      shows: (answer) => expect(answer).toEqual({ orderIds: [expect.any(String)] }),
    },
  },
  orderTransaction: {
    getTransaction: {
      request: async (world) => {
        const order = await world.client.labTests.getOrder({ orderId: await createOrder(world) });
        return { transactionId: order.orderTransaction?.id ?? "" };
      },
      shows: (answer, { service }) =>
        expect(answer).toMatchObject({
          teamId: service.identity.team_id,
          status: "active",
          orders: [{ origin: "initial", lastStatus: "ordered" }],
        }),
    },
  },
  testkit: {
    createOrder: {
      request: async (world) => kitRequest(await world.newUser()),
      shows: (answer) => expect(answer).toMatchObject({ ...placed, order: { details: { type: "testkit" } } }),
    },
    register: {
      request: async (world) => {
        const { order } = await world.client.testkit.createOrder(kitRequest(await world.newUser()));
        await simulateStatus(world, order.id, "collecting_sample.testkit.with_customer");
        const { sampleId } = await world.client.labTests.getOrder({ orderId: order.id });
        return { sampleId: sampleId ?? "", ...patientRequest, consents: [] };
      },
      shows: (answer) =>
        expect(answer).toMatchObject({
          ...placed,
          order: { patientDetails: { firstName: "Ada" }, status: "received" },
        }),
    },
  },
};
