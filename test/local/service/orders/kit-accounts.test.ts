import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { patientAddress, patientDetails, sandboxLabTests, simulateOrder } from "./order-helpers.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

test("a kit is registered at the lab account that its order named, among several active ones", async () => {
  const userId = await service.createUser("who orders a kit");
  const { org_id, team_id } = service.identity;
  const shipping_details = { ...patientAddress, receiver_name: "Ada Sample", phone_number: "+16025550123" };
  const order = (more: object) =>
    service.call("POST", "/v3/order/testkit", {
      body: { user_id: userId, lab_test_id: sandboxLabTests.testkit, shipping_details, ...more },
    });
  const lab = (await order({})).body.order.lab_test.lab.slug;
  const add = (provider_account_id: string) =>
    service.manage("POST", `/v1/org/${org_id}/lab_account/sandbox/us`, {
      body: { lab, provider_account_id, team_id_allowlist: [team_id] },
    });
  await add("first");
  const added = await add("second");
  expect([added.status, added.body.lab_account.status]).toEqual([201, "active"]);
  const ambiguous = await order({});
  expect([ambiguous.status, ambiguous.body.detail?.[0]?.loc]).toEqual([422, ["body", "lab_account_id"]]);

  const placed = await order({ lab_account_id: added.body.lab_account.id });
  expect(placed.status).toBe(200);
  const { id } = placed.body.order;
  const sent = await simulateOrder(service, id, "?final_status=collecting_sample.testkit.with_customer");
  const registration = { sample_id: sent.sample_id, patient_details: patientDetails, patient_address: patientAddress };
  const done = await service.call("POST", "/v3/order/testkit/register", { body: { user_id: userId, ...registration } });
  expect([done.status, done.body.order?.patient_details?.last_name]).toEqual([200, patientDetails.last_name]);
});
