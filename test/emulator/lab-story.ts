import { equal, ok } from "node:assert/strict";
import { patientAddress, patientDetails } from "../local/service/orders/order-helpers.ts";
import type { Deployment } from "./deployment.ts";
import { type Steps, until } from "./steps.ts";

/** A team creates a lab account and orders a test, whose result arrives. @returns the id of the order. */
export async function runLabStory(steps: Steps, deployment: Deployment, userId: string): Promise<string> {
  const orderId = await steps.run("an order is placed at a lab account of the organisation", () =>
    placeOrder(deployment, userId),
  );
  await steps.run("the laboratory accepts the order, and its requisition is a PDF", async () => {
    const headers = { "x-service-api-key": deployment.key };
    await until("a requisition", async () => {
      const answer = await fetch(`${deployment.api}/v3/order/${orderId}/requisition/pdf`, { headers });
      const start = Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString();
      return answer.status === 200 && start === "%PDF-" ? true : undefined;
    });
  });
  await steps.run("the simulated laboratory completes the order", async () => {
    await deployment.call("POST", `/v3/order/${orderId}/test`, { interpretation: "normal" });
    await until("the order is completed", async () => {
      const { events } = await deployment.call("GET", `/v3/order/${orderId}`);
      return events.at(-1).status.endsWith(".completed") ? true : undefined;
    });
  });
  await steps.run("the result names a value for the ordered marker", async () => {
    const { results } = await deployment.call("GET", `/v3/order/${orderId}/result`);
    equal(results.length, 1);
    ok(results[0].result !== undefined && results[0].name, JSON.stringify(results));
  });
  return orderId;
}

async function placeOrder(deployment: Deployment, userId: string): Promise<string> {
  const account = { lab: "labcorp", provider_account_id: "A-17", team_id_allowlist: [deployment.teamId] };
  const { lab_account } = await deployment.manage("POST", "/lab_account/sandbox/us", account);
  equal(lab_account.status, "active");
  const { markers } = await deployment.call("GET", "/v3/lab_tests/markers?lab_slug=labcorp&size=1");
  const order_set = { add_on: { marker_ids: [markers[0].id] }, lab_account_id: lab_account.id };
  const about = { collection_method: "walk_in_test", patient_details: patientDetails, patient_address: patientAddress };
  const { order } = await deployment.call("POST", "/v3/order", { user_id: userId, order_set, ...about });
  return order.id;
}
