import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { orderRequest, patientAddress, patientDetails, sandboxLabTests, simulateOrder } from "./order-helpers.ts";

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
  // An attempt that comes after the next status carries the order with it.
  await service.settle();
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

test("the insurance of a registration is checked and named as that of an order", async () => {
  const { sample_id } = await sendKit();
  const named = { payor_code: "AETNA", insurance_id: "M1" };
  const spouse = { health_insurance: { ...named, responsible_relationship: "Spouse" } };
  const ordered = await service.call("POST", "/v3/order", { body: orderRequest(buyer, spouse) });
  const refused = await register(sample_id, spouse);
  expect([refused.status, refused.body.detail]).toEqual([422, ordered.body.detail]);
  const { status, body } = await register(sample_id, { health_insurance: named });
  expect([status, body.order.health_insurance_id]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

test("a registration needs a lab account that bills in the state of the patient", async () => {
  const { org_id } = service.identity;
  const { teamId: team_id, key } = await service.createTeam("Bills in California");
  const call = async (method: string, path: string, body?: object) => {
    const answer = await service.call(method, path, { key, ...(body ? { body } : {}) });
    await service.settle();
    return answer;
  };
  const ours = await service.createUser("of the team", key);
  const shipping_details = { ...patientAddress, receiver_name: "Ada Sample", phone_number: "+16025550123" };
  const kit = { user_id: ours, lab_test_id: sandboxLabTests.testkit, shipping_details };
  const { id, lab_test } = (await call("POST", "/v3/order/testkit", kit)).body.order;
  await call("POST", `/v3/order/${id}/test?final_status=collecting_sample.testkit.with_customer`);
  const { sample_id } = (await call("GET", `/v3/order/${id}`)).body;
  const account = { lab: lab_test.lab.slug, provider_account_id: "CA 1", team_id_allowlist: [team_id] };
  const body = { ...account, allowed_billing: { client_bill: ["CA"] } };
  expect((await service.manage("POST", `/v1/org/${org_id}/lab_account/sandbox/us`, { body })).status).toBe(201);
  const registerIn = (state: string) =>
    call("POST", "/v3/order/testkit/register", {
      ...{ sample_id, patient_details: patientDetails, patient_address: { ...patientAddress, state } },
    });
  const refused = await registerIn("AZ");
  expect([refused.status, refused.body.detail[0].loc.join(".")]).toEqual([422, "body.patient_address.state"]);
  expect((await registerIn("CA")).status).toBe(200);
});

test("registrations and imports take missing fields of the patient from the user's info", async () => {
  const { org_id, team_id } = service.identity;
  const sandbox = { minor_ordering_enabled: true };
  expect((await service.manage("PATCH", `/v1/org/${org_id}/team/${team_id}`, { body: { sandbox } })).status).toBe(200);
  await service.advance(61_000);
  const child = await service.createUser("a child");
  const { zip, country: _, ...rest } = patientAddress;
  const { dob: __, email: ___, ...adult } = patientDetails;
  const medical_proxy = { ...adult, address: patientAddress };
  const patient_details = { ...patientDetails, dob: "2018-01-01" };
  const info = { ...patient_details, address: { ...rest, zip_code: zip }, race: "asian", medical_proxy };
  expect((await service.call("PATCH", `/v2/user/${child}/info`, { body: info })).status).toBe(200);
  const { access_notes, ...patient_address } = patientAddress;
  const { sample_id } = await sendKit();
  const importing = { billing_type: "client_bill", collection_method: "walk_in_test", sample_id: "IMPORTED-1" };
  const answers = [
    await register(sample_id, { user_id: child, patient_details, patient_address }),
    await service.call("POST", "/v3/order/import", {
      body: { ...orderRequest(child, { patient_details, patient_address }), ...importing },
    }),
  ];
  for (const { status, body } of answers) {
    expect([status, body.detail]).toEqual([200, undefined]);
    expect(body.order.patient_details).toMatchObject({ race: "asian", medical_proxy: { first_name: "Ada" } });
    expect(body.order.patient_address.access_notes).toBe(access_notes);
  }
});
