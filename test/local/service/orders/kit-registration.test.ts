import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { patientAddress, patientDetails, sandboxLabTests, simulateOrder } from "./order-helpers.ts";

let service: TestService;
let buyer: string;
beforeAll(async () => {
  service = await TestService.start();
  buyer = await service.createUser("who orders a kit");
});
afterAll(() => service.stop());

/** Orders a kit and simulates its way to the customer. @returns its order. */
async function sendKit() {
  const shipping_details = { ...patientAddress, receiver_name: "Ada Sample", phone_number: "+16025550123" };
  const body = { user_id: buyer, lab_test_id: sandboxLabTests.testkit, shipping_details };
  const { id } = (await service.call("POST", "/v3/order/testkit", { body })).body.order;
  return simulateOrder(service, id, "?final_status=collecting_sample.testkit.with_customer");
}

const register = (sample_id: string, more: object) =>
  service.call("POST", "/v3/order/testkit/register", {
    body: { sample_id, patient_details: patientDetails, patient_address: patientAddress, ...more },
  });

test("events of a kit name its buyer until the registration, and the registered user from then on", async () => {
  const { id, sample_id } = await sendKit();
  const patient = await service.createUser("whose sample it is");
  expect((await register(sample_id, { user_id: patient })).body.order.user_id).toBe(patient);
  await simulateOrder(service, id, "?final_status=sample_with_lab.testkit.delivered_to_lab");
  const events = (await service.inbox("labtest.order.updated")).map(({ body }) => body);
  const known = events.filter(({ data }) => data.id === id);
  const named = known.map(({ user_id, client_user_id, data }) => [
    data.last_event.status.split(".").at(-1),
    ...[user_id, client_user_id, data.user_id],
  ]);
  const of = (level: string) => named.find(([reached]) => reached === level);
  expect(of("with_customer")).toEqual(["with_customer", buyer, "who orders a kit", buyer]);
  expect(of("registered")).toEqual(["registered", patient, "whose sample it is", patient]);
  expect(of("delivered_to_lab")).toEqual(["delivered_to_lab", patient, "whose sample it is", patient]);
});

test("a kit is registered for a living person, and for a minor only by a team that orders for minors", async () => {
  const { sample_id } = await sendKit();
  const refusalOf = async (dob: string) => {
    const { status, body } = await register(sample_id, { patient_details: { ...patientDetails, dob } });
    return [status, body.detail[0].loc.join("."), body.detail[0].msg];
  };
  const [place, unborn] = ["body.patient_details.dob", "Not the date of birth of a living person"];
  for (const dob of ["1800-01-01", "2127-01-01"]) expect(await refusalOf(dob)).toEqual([422, place, unborn]);
  expect(await refusalOf("2020-01-01")).toEqual([422, place, "The team does not order for patients under 18"]);
  expect((await register(sample_id, {})).status).toBe(200);
});
