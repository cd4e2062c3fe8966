import type { Answer, TestService } from "../../../support/service.ts";
import { orderRequest, patientAddress, patientDetails, sandboxLabTests } from "../orders/order-helpers.ts";
import { findFunctionName } from "../support/stored-items.ts";

/** Gives a user an insurance, which pays for orders that name none. */
async function insureUser(
  user: string,
  ask: (method: string, path: string, body?: unknown) => Promise<Answer["body"]>,
) {
  const { zip, country: _, access_notes: __, ...rest } = patientAddress;
  const person = { ...patientDetails, address: { ...rest, zip_code: zip } };
  await ask("PATCH", `/v2/user/${user}/info`, person);
  const [{ payor_code }] = await ask("GET", "/v3/insurance/search/payor?insurance_name=aetna");
  const insurance = { payor_code, member_id: "1", relationship: "Self", insured: person };
  await ask("POST", `/v2/user/${user}/insurance`, insurance);
}

/**
 * Calls every route of orders and of requests to laboratories for the first team.
 * @param before runs before each request.
 * @returns the user of the orders.
 */
export async function callOrderRoutes(service: TestService, before: () => Promise<unknown>): Promise<string> {
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    await before();
    const answer = await service.call(method, path, { headers, ...(body === undefined ? {} : { body }) });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    await service.settle();
    return answer.body;
  };
  const user = await service.createUser("who orders everything");
  const to = (status: string) => `test?final_status=${status}`;
  const markers = { lab_test_ids: [sandboxLabTests.walk_in_test], add_on: { provider_ids: ["90101"] } };
  const keyed = { "x-idempotency-key": "of every route" };
  const physician = { first_name: "Grace", last_name: "Physician", npi: "1234567893" };
  await insureUser(user, ask);
  const insured = { billing_type: "commercial_insurance", physician };
  const { order } = await ask("POST", "/v3/order", orderRequest(user, { order_set: markers, ...insured }), keyed);
  await ask("POST", "/v3/order", orderRequest(user, { order_set: markers, ...insured }), keyed);
  await ask("GET", `/v3/order/${order.id}/psc/info`);
  const ofPayor = { ...insured, health_insurance: { insurance_id: "1", payor_code: "the team's own" } };
  const other = await ask("POST", "/v3/order", orderRequest(user, ofPayor));
  for (const { id } of [order, other.order]) await callDocumentRoutes(service, before, id);
  const again = await ask("POST", `/v3/order/${order.id}/recreate`, {
    update_reason: "INCORRECT_LAB",
    order_set: { add_on: { provider_ids: ["90506"] }, lab_test_ids: [sandboxLabTests.walk_in_test] },
  });
  // An order of a transaction with several is read twice more, because its response looks up the others.
  await ask("POST", `/v3/order/${again.order.id}/recreate`, { update_reason: "INCORRECT_LAB" });
  await ask("GET", `/v3/order/${order.id}`);
  for (const last of [
    "sample_with_lab.walk_in_test.partial_results",
    "collecting_sample.walk_in_test.redraw_available",
  ]) {
    const spoilt = await ask("POST", "/v3/order", orderRequest(user));
    await ask("POST", `/v3/order/${spoilt.order.id}/${to(last)}`);
    if (last.endsWith("partial_results")) await ask("POST", `/v3/order/${spoilt.order.id}/redraw`);
  }
  await ask("GET", "/v3/orders");
  await ask("GET", `/v3/orders?user_id=${user}`);
  await ask("GET", `/v3/order_transaction/${order.order_transaction.id}`);
  await ask("POST", "/v3/order/resend_events", { start_at: order.created_at });
  const about = { billing_type: "client_bill", collection_method: "walk_in_test", sample_id: "S-1", physician };
  const set = { order_set: { ...markers, add_on: { provider_ids: ["90102"] } } };
  await ask("POST", "/v3/order/import", { ...orderRequest(user, set), ...about });
  const onSite = { order_set: { lab_test_ids: [sandboxLabTests.on_site_collection] } };
  const later = await ask("POST", "/v3/order", orderRequest(user, { ...onSite, activate_by: "2099-01-01" }));
  await ask("PATCH", `/v3/order/${later.order.id}`, { activate_by: null });
  await ask("POST", `/v3/order/${later.order.id}/${to("received.on_site_collection.requisition_created")}`);
  await ask("PATCH", `/v3/order/${later.order.id}/draw_completed`);
  await ask("POST", `/v3/order/${later.order.id}/cancel`);
  const shipping_details = {
    ...patientAddress,
    receiver_name: "Ada Sample",
    phone_number: patientDetails.phone_number,
  };
  const kit = await ask("POST", "/v3/order/testkit", {
    user_id: user,
    lab_test_id: sandboxLabTests.testkit,
    shipping_details,
  });
  await ask("POST", `/v3/order/${kit.order.id}/${to("collecting_sample.testkit.with_customer")}`);
  const { sample_id } = await ask("GET", `/v3/order/${kit.order.id}`);
  const owner = await service.createUser("whose sample it is");
  const registration = {
    user_id: owner,
    sample_id,
    patient_details: patientDetails,
    patient_address: patientAddress,
    physician,
  };
  await ask("POST", "/v3/order/testkit/register", registration);
  await ask("POST", `/v3/order/${kit.order.id}/test?delay=60`, { interpretation: "normal" });
  service.cloud.faults.add({ service: "sqs", function: findFunctionName(service, "createOrder"), mode: "fail_before" });
  const last = await ask("POST", "/v3/order", orderRequest(user));
  service.cloud.faults.clear();
  await service.advance(20 * 60_000);
  await callTeamRoutes(service, ask, { user, order_id: last.order.id });
  // A simulation that is in progress when its user is erased.
  await ask("POST", `/v3/order/${last.order.id}/test?delay=86400`);
  return user;
}

/** Calls every document route for an order. */
async function callDocumentRoutes(
  service: TestService,
  before: () => Promise<unknown>,
  orderId: string,
): Promise<void> {
  for (const path of [
    "requisition/pdf",
    "abn_pdf",
    "collection_instruction_pdf",
    "labels/pdf?collection_date=2026-05-02",
  ]) {
    await before();
    const { status, body } = await service.call("GET", `/v3/order/${orderId}/${path}`);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
  }
}

type Ask = (method: string, path: string, body?: unknown) => Promise<Answer["body"]>;

/** Calls the team's own routes, and opens the portal of one of its users. */
async function callTeamRoutes(service: TestService, ask: Ask, of: { user: string; order_id: string }): Promise<void> {
  const { team_id } = service.identity;
  await ask("GET", `/v2/team/${team_id}`);
  await ask("GET", `/v2/team/${team_id}/physicians`);
  await ask("GET", "/v2/team/users/search?query_id=whose%20sample%20it%20is");
  await ask("GET", "/v2/user/metrics");
  const { country: _, zip, ...rest } = patientAddress;
  await ask("PATCH", `/v2/user/${of.user}/info`, { ...patientDetails, address: { ...rest, zip_code: zip } });
  const body = { context: "launch", order_id: of.order_id };
  const { url } = await ask("POST", `/v2/user/${of.user}/create_portal_url`, body);
  if ((await fetch(url)).status !== 200) throw new Error("no page of a user");
}
