import type { ContractWorld } from "../contract/contract-world.ts";
import { createOrder } from "../contract/order-rows.ts";

/** Creates the request of a call in a running service. */
export type CreateRequest = (world: ContractWorld) => object | Promise<object>;

async function linkToken(world: ContractWorld): Promise<string> {
  return (await world.client.link.token({ userId: await world.newUser() })).linkToken;
}
const withLinkToken =
  (request: object = {}): CreateRequest =>
  async (world) => ({ vitalLinkToken: await linkToken(world), ...request });

const anyId = "11111111-2222-4333-8444-555555555555";
const orderSet = { labTestIds: ["00000000-0000-4000-9000-000000000002"] };
const visit = { modality: "walk_in_test", usState: "AZ" };
const patientDetails = {
  firstName: "Ada",
  lastName: "Sample",
  dob: "1990-05-17",
  gender: "female",
  phoneNumber: "+16025550123",
  email: "ada@example.com",
};
const patientAddress = {
  firstLine: "West Lincoln Street 1",
  city: "Phoenix",
  state: "AZ",
  zip: "85004",
  country: "US",
};

/** Requests of methods that the TypeScript client has not: `resource.method` -> its request. */
export const furtherRequests: ReadonlyMap<string, CreateRequest> = new Map<string, CreateRequest>([
  ["link.isTokenValid", async (world) => ({ token: await linkToken(world) })],
  ["link.startConnect", async (world) => ({ linkToken: await linkToken(world), provider: "oura" })],
  ["link.tokenState", withLinkToken()],
  ["link.emailAuth", withLinkToken({ email: "ada@example.com", provider: "freestyle_libre", authType: "email" })],
  ["link.passwordAuth", withLinkToken({ username: "ada", password: "right", provider: "whoop", authType: "password" })],
  ["link.connectManualProvider", async (world) => ({ provider: "omron_ble", userId: await world.newUser() })],
  ["team.getLinkConfig", withLinkToken()],
  ["labTests.getOrderTracking", async (world) => ({ orderId: await createOrder(world) })],
  ["labTests.estimateOrderSetPricing", () => ({ orderSets: [orderSet], ...visit })],
  ["checkout.createQuote", () => ({ orderSet, ...visit, priority: false })],
  ["checkout.getQuote", () => ({ quoteId: anyId })],
  ["checkout.refineQuote", () => ({ quoteId: anyId, priority: true })],
  [
    "checkout.createCheckoutSession",
    ({ userId }) => ({
      quoteId: anyId,
      userId,
      payment: { method: "payment_intent" },
      patientDetails,
      patientAddress,
    }),
  ],
  ["checkout.getCheckoutSession", () => ({ checkoutSessionId: anyId })],
  ["checkout.confirmCheckoutSession", () => ({ checkoutSessionId: anyId })],
]);
