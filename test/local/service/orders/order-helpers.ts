import { requisitionNumber } from "../../../../lib/domain/orders/lab-partner.ts";
import type { LowLevelStatus } from "../../../../lib/domain/orders/lifecycle/order-status.ts";
import type { Answer, TestService } from "../../../support/service.ts";
import { findItemsContaining } from "../support/stored-items.ts";

/** The lab tests of every sandbox team, by collection method. */
export const sandboxLabTests = {
  testkit: "00000000-0000-4000-9000-000000000001",
  walk_in_test: "00000000-0000-4000-9000-000000000002",
  at_home_phlebotomy: "00000000-0000-4000-9000-000000000003",
  on_site_collection: "00000000-0000-4000-9000-000000000004",
} as const;

export const patientDetails = {
  first_name: "Ada",
  last_name: "Sample",
  dob: "1990-05-17",
  gender: "female",
  phone_number: "+16025550123",
  email: "ada@example.com",
};
export const patientAddress = {
  first_line: "West Lincoln Street 1",
  city: "Phoenix",
  state: "AZ",
  zip: "85004",
  country: "US",
  access_notes: "Gate code 12",
};

/** Body of a request to place an order for a user. */
export const orderRequest = (user_id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  user_id,
  patient_details: patientDetails,
  patient_address: patientAddress,
  order_set: { lab_test_ids: [sandboxLabTests.walk_in_test] },
  ...more,
});

/** Places an order and settles the service. @returns the order as answered. */
export async function placeOrder(
  service: TestService,
  userId: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Answer["body"]> {
  const answer = await service.call("POST", "/v3/order", { body: orderRequest(userId, more) });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  await service.settle();
  return answer.body.order;
}

/** Simulates an order to the end without delays. @returns the order afterwards. */
export async function simulateOrder(service: TestService, orderId: string, query = "", body?: unknown) {
  const options = body === undefined ? {} : { body };
  const answer = await service.call("POST", `/v3/order/${orderId}/test${query}`, options);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  await service.settle();
  return (await service.call("GET", `/v3/order/${orderId}`)).body;
}

/** Returns the items of an order's submission: those with its requisition number, except the pointer to the order. */
export async function listSubmissions(service: TestService, orderId: string): Promise<string[]> {
  const named = await findItemsContaining(service, requisitionNumber(orderId));
  return named.filter((item) => !item.endsWith(" requisition"));
}

/** Returns the low-level statuses of an order, oldest first. */
export const orderStatusLevels = (order: Answer["body"]): LowLevelStatus[] =>
  order.events.map(({ status }: { status: string }) => status.split(".").at(-1));
