// @module-tag share
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requisitionNumber } from "../../../../lib/domain/orders/lab-partner.ts";
import { chooseCount, isDeep } from "../../../support/depth.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { findFunctionName, findItemsOutsideAccessLog } from "../support/stored-items.ts";
import { runOrderDrill } from "./order-drill.ts";
import {
  orderRequest,
  orderStatusLevels,
  patientDetails,
  placeOrder,
  sandboxLabTests,
  simulateOrder,
} from "./order-helpers.ts";

type Body = Answer["body"];
const DAY_MS = 86_400_000;

/** Idempotency keys of the drill. */
const KEYS = chooseCount(3, 10);

let service: TestService;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("who orders");
});
afterAll(() => service.stop());

const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.call("POST", path, { headers, ...(body === undefined ? {} : { body }) });
const read = (orderId: string) => service.call("GET", `/v3/order/${orderId}`);
const list = async (query: string): Promise<Body> => (await service.call("GET", `/v3/orders?${query}`)).body;
const idsOf = ({ orders }: Body): string[] => orders.map(({ id }: { id: string }) => id);
const keyed = (key: string) => ({ "x-idempotency-key": key });
const refusals = async (more: Record<string, unknown>) => {
  const { status, body } = await post("/v3/order", orderRequest(userId, more));
  return [status, typeof body.detail === "string" ? body.detail : body.detail.map(({ loc }: Body) => loc.join("."))];
};

describe("placing an order", () => {
  test("works at both paths and returns the requested order [endpoints-known-by-name-01] [versioning-03] [user-info-fields-08]", async () => {
    for (const path of ["/v3/order", "/v3/order/create"]) {
      const { status, body } = await post(path, orderRequest(userId, { passthrough: "ours" }));
      expect([status, body.status]).toEqual([200, "success"]);
      const { order } = body;
      expect(order).toMatchObject({ user_id: userId, passthrough: "ours", status: "received", origin: "initial" });
      expect(order.patient_address.access_notes).toBe("Gate code 12");
      expect(order.lab_test.id).toBe(sandboxLabTests.walk_in_test);
      expect((await read(order.id)).body).toEqual(order);
    }
  });

  test("sends an event with status and detail, and the last event at the top level [events-27] [events-28]", async () => {
    const order = await placeOrder(service, userId);
    expect(order.events).toEqual([
      { id: 1, created_at: order.created_at, status: "received.walk_in_test.ordered", status_detail: null },
    ]);
    expect(order.last_event).toEqual(order.events.at(-1));
    const created = (await service.inbox("labtest.order.created")).map(({ body }) => body.data);
    expect(created.find(({ id }: Body) => id === order.id)).toEqual(order);
  });

  test("combines lab tests and markers of one lab into one lab test, the same one for the same set", async () => {
    const order_set = { lab_test_ids: [sandboxLabTests.walk_in_test], add_on: { provider_ids: ["90101"] } };
    const [one, two] = [
      await placeOrder(service, userId, { order_set }),
      await placeOrder(service, userId, { order_set }),
    ];
    expect(one.lab_test).toMatchObject({ auto_generated: true, method: "walk_in_test", lab: { slug: "quest" } });
    expect(two.lab_test).toEqual(one.lab_test);
    expect((await service.call("GET", `/v3/lab_tests/${one.lab_test.id}`)).status).toBe(200);
  });

  test("is refused with the reason [limits-12]", async () => {
    const minor = { ...patientDetails, dob: "2020-01-01" };
    expect(await refusals({ order_set: {} })).toEqual([422, ["body.order_set"]]);
    expect(await refusals({ order_set: { lab_test_ids: [randomUUID()] } })).toEqual([404, expect.any(String)]);
    const alone = { order_set: { add_on: { marker_ids: [4_090_101] } } };
    const unmethodical = await post("/v3/order", orderRequest(userId, alone));
    expect(unmethodical.body.detail).toEqual([
      {
        loc: ["body", "collection_method"],
        msg: "Required for a set of markers alone",
        type: "value_error",
      },
    ]);
    expect(await refusals({ patient_details: minor })).toEqual([422, ["body.patient_details.dob"]]);
    expect(await refusals({ collection_method: "testkit" })).toEqual([422, ["body.collection_method"]]);
    expect(await refusals({ activate_by: "2020-01-01" })).toEqual([422, ["body.activate_by"]]);
    for (const health_insurance of [undefined, {}, { diagnosis_codes: ["E11.9"] }]) {
      const uninsured = { billing_type: "commercial_insurance", health_insurance };
      expect(await refusals(uninsured)).toEqual([422, ["body.health_insurance"]]);
    }
    for (const insurance_id of [undefined, ""]) {
      const ofPayor = {
        billing_type: "commercial_insurance",
        health_insurance: { payor_code: "team payor", insurance_id },
      };
      expect(await refusals(ofPayor)).toEqual([422, ["body.health_insurance.insurance_id"]]);
    }
    expect(await refusals({ lab_account_id: randomUUID() })).toEqual([404, expect.any(String)]);
    expect(await refusals({ user_id: randomUUID() })).toEqual([404, "User not found."]);
    expect(await refusals({ clinical_notes: "x".repeat(1_001) })).toEqual([422, ["body.clinical_notes"]]);
  });

  test("is limited to the lab of the requested account [endpoints-known-by-name-12]", async () => {
    const { body } = await service.call("GET", "/v3/lab_test/lab_account?status=active");
    const at = (lab: string) => body.data.find((account: Body) => account.lab === lab).id;
    expect((await placeOrder(service, userId, { lab_account_id: at("quest") })).lab_test.lab.slug).toBe("quest");
    expect(await refusals({ lab_account_id: at("labcorp") })).toEqual([422, ["body.lab_account_id"]]);
  });

  test("uses the team's own account by default, and appends its clinical notes to those of the order [endpoints-known-by-name-11] [endpoints-known-by-name-20]", async () => {
    const { org_id, team_id } = service.identity;
    const account = { lab: "bioreference", provider_account_id: "77", default_clinical_notes: "Call us." };
    const made = await service.manage("POST", `/v1/org/${org_id}/lab_account/sandbox/us`, {
      body: { ...account, team_id_allowlist: [team_id] },
    });
    expect(made.status).toBe(201);
    const { body } = await service.call("GET", "/v3/lab_tests/markers?lab_slug=bioreference&size=1");
    const order_set = { add_on: { marker_ids: [body.markers[0].id] } };
    const order = await placeOrder(service, userId, {
      order_set,
      collection_method: "walk_in_test",
      clinical_notes: "Fasting",
    });
    expect(order.clinical_notes).toBe("Fasting\nCall us.");
  });

  test("uses the stored info of the user for omitted fields [service-05]", async () => {
    const known = await service.createUser("well known");
    const { zip, country: _, ...rest } = orderRequest(known).patient_address;
    const address = { ...rest, zip_code: zip };
    const info = { ...patientDetails, address, race: "asian", medical_proxy: null };
    expect((await service.call("PATCH", `/v2/user/${known}/info`, { body: info })).status).toBe(200);
    const insured = { ...patientDetails, address };
    const insurance = { payor_code: "", member_id: "M1", relationship: "Self", insured };
    const payors = await service.call("GET", "/v3/insurance/search/payor?insurance_name=aetna");
    insurance.payor_code = payors.body[0].payor_code;
    const stored = await post(`/v2/user/${known}/insurance`, insurance);
    expect([stored.status, stored.body.id]).toEqual([200, expect.any(String)]);
    const order = await placeOrder(service, known, { billing_type: "commercial_insurance" });
    expect(order).toMatchObject({ health_insurance_id: stored.body.id, patient_details: { race: "asian" } });
    const billing_type = "commercial_insurance";
    for (const health_insurance of [{}, { payor_code: null, diagnosis_codes: ["E11.9"] }]) {
      const unnamed = await placeOrder(service, known, { billing_type, health_insurance });
      expect(unnamed.health_insurance_id).toBe(stored.body.id);
    }
    const ofPayor = (payor_code: string) => ({ billing_type, health_insurance: { payor_code } });
    const samePayor = await placeOrder(service, known, ofPayor(insurance.payor_code));
    expect(samePayor.health_insurance_id).toBe(stored.body.id);
    const refused = await post("/v3/order", orderRequest(known, ofPayor(`not ${insurance.payor_code}`)));
    expect([refused.status, refused.body.detail[0].loc.join(".")]).toEqual([422, "body.health_insurance.insurance_id"]);
  });
});

describe("an order with an idempotency key", () => {
  test("is created once, and every repeated request gets the same response [endpoints-known-by-name-15]", async () => {
    const body = orderRequest(userId);
    const answers = await Promise.all(Array.from({ length: 8 }, () => post("/v3/order", body, keyed("eight"))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    await service.settle();
    const { id } = answers[0]!.body.order;
    await simulateOrder(service, id);
    expect((await post("/v3/order", body, keyed("eight"))).body).toEqual(answers[0]?.body);
  });

  test("is refused with 409 for another body, and creates another order after a day", async () => {
    const first = await post("/v3/order", orderRequest(userId), keyed("a day"));
    const other = await post("/v3/order", orderRequest(userId, { priority: true }), keyed("a day"));
    expect([first.status, other.status, other.body.code]).toEqual([200, 409, "conflict"]);
    await service.advance(DAY_MS + 1_000);
    const later = await post("/v3/order", orderRequest(userId, { priority: true }), keyed("a day"));
    expect([later.status, later.body.order.id === first.body.order.id]).toEqual([200, false]);
  });

  test("stores a refusal unless the request opts out, and never an invalid request", async () => {
    const unknown = { order_set: { lab_test_ids: [sandboxLabTests.walk_in_test] }, lab_account_id: randomUUID() };
    const refused = await post("/v3/order", orderRequest(userId, unknown), keyed("refused"));
    expect(refused.status).toBe(404);
    expect((await post("/v3/order", orderRequest(userId), keyed("refused"))).status).toBe(409);
    expect((await post("/v3/order", orderRequest(userId, unknown), keyed("refused"))).body.detail).toBe(
      refused.body.detail,
    );
    const headers = { ...keyed("passing"), "x-idempotency-error": "no-cache" };
    expect((await post("/v3/order", orderRequest(userId, unknown), headers)).status).toBe(404);
    expect((await post("/v3/order", orderRequest(userId), keyed("passing"))).status).toBe(200);
    expect((await post("/v3/order", orderRequest(userId, { activate_by: "2020-01-01" }), keyed("bad"))).status).toBe(
      422,
    );
    expect((await post("/v3/order", orderRequest(userId), keyed("bad"))).status).toBe(200);
    expect((await post("/v3/order", orderRequest(userId), keyed("x".repeat(256)))).status).toBe(422);
  });

  test(`is created and submitted once for each of ${KEYS} keys with 20 concurrent requests, despite faults (npm run drill -- orders)`, {
    tags: "deep",
    timeout: 240_000,
  }, async () => {
    const report = await runOrderDrill(service, { keys: KEYS, copies: 20, seed: 7 });
    expect(report).toMatchObject({ orders: KEYS, settledKeys: KEYS, submissions: KEYS, strays: 0 });
    expect(report.sentSubmissions).toBeGreaterThanOrEqual(KEYS);
    // Faults occurred, and in a long drill clients saw some of them.
    expect(report.struck).toBeGreaterThan(0);
    if (isDeep) expect(report.unavailable).toBeGreaterThan(0);
  });
});

describe("a sandbox order", () => {
  test("stays as placed until a simulation starts, then passes every status with an event for each step", {
    tags: "deep",
  }, async () => {
    for (const method of Object.keys(sandboxLabTests) as (keyof typeof sandboxLabTests)[]) {
      const placed = await placeOrder(service, userId, { order_set: { lab_test_ids: [sandboxLabTests[method]] } });
      await service.advance(DAY_MS);
      expect(orderStatusLevels((await read(placed.id)).body)).toEqual(["ordered"]);
      const done = await simulateOrder(service, placed.id);
      expect(orderStatusLevels(done).at(-1)).toBe("completed");
      expect(done).toMatchObject({ status: "completed", interpretation: "normal", last_event: done.events.at(-1) });
      const updated = (await service.inbox("labtest.order.updated")).map(({ body }) => body.data);
      const statuses = updated.filter(({ id }: Body) => id === placed.id).map(({ last_event }: Body) => last_event.id);
      expect(statuses.toSorted()).toEqual(done.events.slice(1).map(({ id }: Body) => id));
    }
  });

  test.for([901, 1_200])("makes its next step %s seconds later, and not a minute late", async (seconds) => {
    const { id } = await placeOrder(service, userId);
    const { last_event } = await simulateOrder(service, id, `?delay=${seconds}`);
    const dueMs = Date.parse(last_event.created_at) + seconds * 1_000;
    const leftMs = () => dueMs - service.cloud.clock.now();
    // An advance runs the sweeper at its start and its end: here at each minute, as a deployment does.
    while (leftMs() > 60_000) await service.advance(60_000);
    expect((await read(id)).body.last_event.id).toBe(last_event.id);
    await service.advance(leftMs() + 2_000);
    const { body } = await read(id);
    expect(body.last_event.id).toBe(last_event.id + 1);
    expect(Date.parse(body.last_event.created_at) - dueMs).toBeLessThan(3_000);
  });

  test("waits the requested delay between the steps", { tags: "deep" }, async () => {
    const { id } = await placeOrder(service, userId, {
      order_set: { lab_test_ids: [sandboxLabTests.on_site_collection] },
    });
    expect(orderStatusLevels(await simulateOrder(service, id, "?delay=3600"))).toEqual([
      "ordered",
      "requisition_created",
    ]);
    await service.advance(61 * 60_000 + 60_000);
    expect(orderStatusLevels((await read(id)).body)).toEqual(["ordered", "requisition_created", "draw_completed"]);
    await service.advance(61 * 60_000 + 60_000);
    expect(orderStatusLevels((await read(id)).body).at(-1)).toBe("completed");
  });

  test("ends at the requested status, sends a separate event for a critical result, and a kit gets a sample number", {
    tags: "deep",
  }, async () => {
    const kit = { order_set: { lab_test_ids: [sandboxLabTests.testkit] } };
    const { id } = await placeOrder(service, userId, kit);
    const sent = await simulateOrder(service, id, "?final_status=collecting_sample.testkit.with_customer");
    expect([orderStatusLevels(sent).at(-1), sent.sample_id]).toEqual(["with_customer", requisitionNumber(id)]);
    const spoilt = await simulateOrder(service, id, "?final_status=failed.testkit.sample_error");
    expect(spoilt.last_event.status_detail).toBe("sample_quantity_not_sufficient");
    const walkIn = await placeOrder(service, userId);
    await simulateOrder(service, walkIn.id, "", { interpretation: "critical" });
    const critical = (await service.inbox("labtest.result.critical")).map(({ body }) => body.data);
    expect(critical).toMatchObject([{ order_id: walkIn.id, interpretation: "critical", user_id: userId }]);
    const other = await post(`/v3/order/${id}/test?final_status=received.walk_in_test.ordered`);
    const unknown = await post(`/v3/order/${id}/test?final_status=failed.testkit.completed`);
    expect([other.status, unknown.status, unknown.body.detail]).toEqual([422, 422, other.body.detail]);
    expect((await post(`/v3/order/${id}/test`)).status).toBe(400);
  });

  test("can reach each published low-level status, and both enums stay open [other-states-01] [other-states-02] [other-states-03]", async () => {
    for (const level of ["problem_in_transit_customer", "problem_in_transit_lab"]) {
      const { id } = await placeOrder(service, userId, { order_set: { lab_test_ids: [sandboxLabTests.testkit] } });
      const order = await simulateOrder(service, id, `?final_status=collecting_sample.testkit.${level}`);
      expect(orderStatusLevels(order).at(-1)).toBe(level);
    }
    const { components } = (await service.call("GET", "/openapi.json")).body;
    expect(components.schemas.OrderEvent.properties.status.enum).toBeUndefined();
    expect(components.schemas.Order.properties.status.enum).toBeUndefined();
  });

  test("sends partial results to a team that enables them [events-29]", async () => {
    const partial = "?final_status=sample_with_lab.walk_in_test.partial_results";
    const partialEvents = async () => {
      const { id } = await placeOrder(service, userId);
      await simulateOrder(service, id, partial);
      const resent = await post("/v3/order/resend_events", { order_ids: [id] });
      const events = await service.inbox("labtest.order.updated");
      const sent = events.filter(
        ({ body }) => body.data.id === id && body.data.last_event.status.endsWith("partial_results"),
      );
      return [resent.body.order_ids.length, sent.length];
    };
    const { org_id, team_id } = service.identity;
    const enable = async (partial_webhooks_enabled: boolean) => {
      const body = { sandbox: { partial_webhooks_enabled } };
      expect((await service.manage("PATCH", `/v1/org/${org_id}/team/${team_id}`, { body })).status).toBe(200);
      await service.advance(61_000);
    };
    expect(await partialEvents(), "the first team gets them from the start, and once more on request").toEqual([1, 2]);
    await enable(false);
    expect(await partialEvents()).toEqual([0, 0]);
    await enable(true);
    expect(await partialEvents()).toEqual([1, 2]);
  });

  test("is advanced by the sweeper if the queue fails", { tags: "deep" }, async () => {
    for (const name of ["simulateOrderProcess", "createOrder"]) {
      service.cloud.faults.add({ service: "sqs", function: findFunctionName(service, name), mode: "fail_before" });
    }
    const { id } = await placeOrder(service, userId);
    expect(orderStatusLevels(await simulateOrder(service, id))).toEqual(["ordered"]);
    service.cloud.faults.clear();
    await service.advance(3 * 60_000);
    expect(orderStatusLevels((await read(id)).body).at(-1)).toBe("completed");
  });
});

describe("cancelling an order", () => {
  test("ends it and its running simulation, and is refused once the result exists", { tags: "deep" }, async () => {
    const { id } = await placeOrder(service, userId);
    await simulateOrder(service, id, "?delay=600");
    const { status, body } = await post(`/v3/order/${id}/cancel`);
    expect([status, orderStatusLevels(body.order).at(-1)]).toEqual([200, "cancelled"]);
    await service.advance(DAY_MS);
    expect((await read(id)).body).toEqual(body.order);
    const done = await placeOrder(service, userId);
    await simulateOrder(service, done.id);
    const late = await post(`/v3/order/${done.id}/cancel`);
    expect([late.status, late.body.detail]).toEqual([400, "An order cannot change from completed to cancelled."]);
    expect((await post(`/v3/order/${randomUUID()}/cancel`)).status).toBe(404);
  });
});

describe("listing orders", () => {
  test("filters, sorts and pages [endpoints-known-by-name-04]", async () => {
    const owner = await service.createUser("a list");
    const names = ["Cleo", "Abel", "Bea"];
    const ids: string[] = [];
    for (const first_name of names) {
      ids.push((await placeOrder(service, owner, { patient_details: { ...patientDetails, first_name } })).id);
      await service.advance(60_000);
    }
    const [cleo, abel, bea] = ids as [string, string, string];
    await simulateOrder(service, bea, "", { interpretation: "abnormal" });
    const of = async (query: string) => idsOf(await list(`user_id=${owner}&${query}`));
    expect(await of("")).toEqual([bea, abel, cleo]);
    expect(await of("order_key=patient_name&order_direction=asc")).toEqual([abel, bea, cleo]);
    expect(await of("interpretation=abnormal")).toEqual([bea]);
    expect(await of("interpretation=something_new")).toEqual([]);
    expect(await of("status=completed&status=cancelled")).toEqual([bea]);
    expect(await of("is_critical=true")).toEqual([]);
    expect(await of("patient_name=abel")).toEqual([abel]);
    expect(await of(`order_ids=${cleo}&order_ids=${abel}`)).toEqual([abel, cleo]);
    expect(await of("order_type=testkit")).toEqual([]);
    const { body } = await service.call("GET", `/orders?user_id=${owner}&size=2&page=2`);
    expect([idsOf(body), body.total, body.page, body.size]).toEqual([[cleo], 3, 2, 2]);
    expect(idsOf(await list(`search_input=${abel}`))).toEqual([abel]);
    const { created_at } = (await read(abel)).body;
    expect(idsOf(await list(`start_date=${created_at}&end_date=${created_at}`))).toEqual([abel]);
    const local = new Date(created_at).toISOString().slice(0, -1);
    expect(idsOf(await list(`start_date=${local}&end_date=${local}`)), "UTC without an offset").toEqual([abel]);
  });
});

describe("the orders of a deleted user", () => {
  test("are unavailable during the grace period, continue after an undo, and are erased completely", {
    tags: "deep",
  }, async () => {
    const owner = await service.createUser("who leaves");
    const body = orderRequest(owner, { order_set: { lab_test_ids: [sandboxLabTests.testkit] } });
    const { id } = (await post("/v3/order", body, keyed("of one who leaves"))).body.order;
    const cancelled = await placeOrder(service, owner);
    await post(`/v3/order/${cancelled.id}/cancel`);
    await simulateOrder(service, id, "?delay=3600");
    await service.call("DELETE", `/v2/user/${owner}`);
    expect([(await read(id)).status, (await list(`user_id=${owner}`)).total]).toEqual([404, 0]);
    expect(idsOf(await list(`order_ids=${id}`))).toEqual([]);
    await service.advance(2 * 3_600_000);
    await service.call("POST", `/v2/user/undo_delete?user_id=${owner}`);
    await service.advance(10 * 3_600_000);
    expect(orderStatusLevels((await read(id)).body).at(-1)).toBe("completed");
    await service.call("DELETE", `/v2/user/${owner}`);
    await service.advance(8 * DAY_MS);
    const left = await Promise.all(
      [owner, id, cancelled.id, requisitionNumber(id), "of one who leaves"].map((text) =>
        findItemsOutsideAccessLog(service, text),
      ),
    );
    expect(left.flat().filter((item) => !/ (usage|audit|key_use)#/.test(item))).toEqual([]);
  });

  test("are unknown to other teams", async () => {
    const { id } = await placeOrder(service, userId);
    const { key } = await service.createTeam("Others");
    expect((await service.call("GET", `/v3/order/${id}`, { key })).status).toBe(404);
    expect((await service.call("POST", `/v3/order/${id}/cancel`, { key })).status).toBe(404);
    expect((await service.call("GET", "/v3/orders", { key })).body.orders).toEqual([]);
  });
});
