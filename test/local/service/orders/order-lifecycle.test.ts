// @module-tag share
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { orderStatuses } from "../../../../lib/domain/orders/lifecycle/order-status.ts";
import { chooseCount } from "../../../support/depth.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import {
  listSubmissions,
  orderRequest,
  orderStatusLevels,
  patientAddress,
  patientDetails,
  placeOrder,
  sandboxLabTests,
  simulateOrder,
} from "./order-helpers.ts";
import { commandRounds, OrderWalk } from "./order-model.ts";

type Body = Answer["body"];
const DAY_MS = 86_400_000;

let service: TestService;
let userId: string;
let accounts: Body[];
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("who orders");
  accounts = (await service.call("GET", "/v3/lab_test/lab_account")).body.data;
});
afterAll(() => service.stop());

const post = (path: string, body?: unknown) => service.call("POST", path, body === undefined ? {} : { body });
const patch = (path: string, body?: unknown) => service.call("PATCH", path, body === undefined ? {} : { body });
const read = async (orderId: string): Promise<Body> => (await service.call("GET", `/v3/order/${orderId}`)).body;
const dayIn = (days: number) => new Date(service.cloud.clock.now() + days * DAY_MS).toISOString().slice(0, 10);

const imported = (sample_id: string, more: Record<string, unknown> = {}) => ({
  ...orderRequest(userId),
  billing_type: "client_bill",
  collection_method: "walk_in_test",
  sample_id,
  ...more,
});

describe("importing an order", () => {
  test("stores an order that was placed elsewhere, with a sample id that no other order has [endpoints-known-by-name-02]", async () => {
    const { status, body } = await post("/v3/order/import", imported("S-1"));
    expect([status, body.order.sample_id, orderStatusLevels(body.order)]).toEqual([
      200,
      "S-1",
      ["requisition_bypassed"],
    ]);
    const again = await Promise.all([1, 2, 3].map(() => post("/v3/order/import", imported("S-2"))));
    expect(again.map((answer) => answer.status).toSorted()).toEqual([200, 422, 422]);
    expect(again.find((answer) => answer.status === 422)?.body.detail[0].loc).toEqual(["body", "sample_id"]);
    expect(orderStatusLevels(await simulateOrder(service, body.order.id)).at(-1)).toBe("completed");
  });

  test("is refused for the same dates of birth as a placed order", async () => {
    const { key } = await service.createTeam("Imports no minors");
    const owner = await service.createUser("of any age", key);
    for (const dob of ["2127-01-01", "1800-01-01", "2020-01-01"]) {
      const patient_details = { ...patientDetails, dob };
      const body = imported(`Born ${dob}`, { user_id: owner, patient_details });
      const answers = [
        await service.call("POST", "/v3/order/import", { key, body }),
        await service.call("POST", "/v3/order", { key, body: orderRequest(owner, { patient_details }) }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([422, 422]);
      expect(answers[0]?.body.detail).toEqual(answers[1]?.body.detail);
    }
  });

  test("accepts a pending lab account, and placing an order does not [endpoints-known-by-name-13]", async () => {
    const made = await post("/v3/lab_tests", {
      name: "Sugar at Sonora",
      description: "Glucose",
      method: "walk_in_test",
      marker_ids: [
        (await service.call("GET", "/v3/lab_tests/markers?lab_slug=sonora_quest&size=1")).body.markers[0].id,
      ],
    });
    const { id } = accounts.find(({ status }) => status === "pending");
    const more = { order_set: { lab_test_ids: [made.body.id] }, lab_account_id: id };
    expect((await post("/v3/order/import", imported("S-3", more))).status).toBe(200);
    const refused = await post("/v3/order", orderRequest(userId, more));
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ["body", "lab_account_id"]]);
  });
});

describe("an order for a later day", () => {
  test("is submitted on that day, or on another day that it is moved to", { tags: "deep" }, async () => {
    const order = await placeOrder(service, userId, { activate_by: dayIn(3) });
    expect(await listSubmissions(service, order.id)).toEqual([]);
    const later = await patch(`/v3/order/${order.id}`, { activate_by: dayIn(6) });
    expect([later.status, later.body.order.activate_by]).toEqual([200, dayIn(6)]);
    await service.advance(4 * DAY_MS);
    expect(await listSubmissions(service, order.id)).toEqual([]);
    await service.advance(3 * DAY_MS);
    expect(await listSubmissions(service, order.id)).toHaveLength(1);
    const scheduled = await service.call("GET", "/v3/orders?order_activation_types=scheduled");
    expect(scheduled.body.orders.map(({ id }: Body) => id)).toEqual([order.id]);
  });

  test("is submitted at once by null, and cannot be postponed after dispatch or without a dispatch day", {
    tags: "deep",
  }, async () => {
    const order = await placeOrder(service, userId, { activate_by: dayIn(3) });
    expect((await patch(`/v3/order/${order.id}`, { activate_by: null })).body.order.activate_by).toBeNull();
    await service.settle();
    expect(await listSubmissions(service, order.id)).toHaveLength(1);
    expect((await patch(`/v3/order/${order.id}`, { activate_by: dayIn(2) })).status).toBe(400);
    const other = await placeOrder(service, userId, { activate_by: dayIn(3) });
    await simulateOrder(service, other.id);
    expect((await patch(`/v3/order/${other.id}`, { activate_by: dayIn(4) })).status).toBe(400);
    expect((await patch(`/v3/order/${randomUUID()}`, { activate_by: null })).status).toBe(404);
  });
});

test("only an on-site collection can be recorded by hand", async () => {
  const order = await placeOrder(service, userId, {
    order_set: { lab_test_ids: [sandboxLabTests.on_site_collection] },
  });
  expect((await patch(`/v3/order/${order.id}/draw_completed`)).status).toBe(400);
  await simulateOrder(service, order.id, "?final_status=received.on_site_collection.requisition_created");
  const drawn = await patch(`/v3/order/${order.id}/draw_completed`);
  expect([drawn.status, orderStatusLevels(drawn.body.order).at(-1)]).toEqual([200, "draw_completed"]);
  const other = await placeOrder(service, userId);
  expect((await patch(`/v3/order/${other.id}/draw_completed`)).status).toBe(400);
});

test("a test kit is shipped without a patient and registered by its sample", { tags: "deep" }, async () => {
  const shipping_details = { ...patientAddress, receiver_name: "Ada Sample", phone_number: "+16025550123" };
  const kit = { user_id: userId, lab_test_id: sandboxLabTests.testkit, shipping_details };
  const { status, body } = await post("/v3/order/testkit", kit);
  expect([status, body.order.patient_details]).toEqual([200, null]);
  const { id } = body.order;
  const sent = await simulateOrder(service, id, "?final_status=collecting_sample.testkit.with_customer");
  const owner = await service.createUser("whose sample it is");
  const registration = {
    user_id: owner,
    sample_id: sent.sample_id,
    patient_details: patientDetails,
    patient_address: patientAddress,
  };
  const done = await post("/v3/order/testkit/register", registration);
  expect([done.status, orderStatusLevels(done.body.order).at(-1), done.body.order.user_id]).toEqual([
    200,
    "registered",
    owner,
  ]);
  expect((await post("/v3/order/testkit/register", registration)).status).toBe(400);
  expect((await post("/v3/order/testkit/register", { ...registration, sample_id: "none" })).status).toBe(404);
  expect((await service.call("GET", `/v3/orders?user_id=${owner}`)).body.total).toBe(1);
  expect(orderStatusLevels(await simulateOrder(service, id)).at(-1)).toBe("completed");
  expect((await post("/v3/order/testkit", { ...kit, lab_test_id: sandboxLabTests.walk_in_test })).status).toBe(422);
});

describe("an order at the wrong laboratory", () => {
  test("is recreated under another lab account, in the transaction of the original order [endpoints-known-by-name-14]", async () => {
    const former = await placeOrder(service, userId);
    const made = await post("/v3/lab_tests", {
      name: "Sugar at Labcorp",
      description: "Glucose",
      method: "walk_in_test",
      marker_ids: [(await service.call("GET", "/v3/lab_tests/markers?lab_slug=labcorp&size=1")).body.markers[0].id],
    });
    const body = { update_reason: "INCORRECT_LAB", order_set: { lab_test_ids: [made.body.id] } };
    const { status, body: answer } = await post(`/v3/order/${former.id}/recreate`, body);
    expect([status, answer.order.origin, answer.order.lab_test.lab.slug]).toEqual([200, "recreation", "labcorp"]);
    await service.settle();
    expect(orderStatusLevels(await read(former.id))).toEqual(["ordered", "cancelled"]);
    await simulateOrder(service, answer.order.id);
    const transaction = await service.call("GET", `/v3/order_transaction/${former.order_transaction.id}`);
    expect(transaction.body).toMatchObject({
      status: "completed",
      orders: [
        { id: former.id, last_status: "cancelled", origin: "initial" },
        { id: answer.order.id, last_status: "completed", origin: "recreation", parent_id: former.id },
      ],
    });
    expect((await read(former.id)).order_transaction).toEqual((await read(answer.order.id)).order_transaction);
    const listed = await service.call("GET", `/v3/orders?order_transaction_id=${former.order_transaction.id}`);
    expect(listed.body.total).toBe(2);
    expect((await post(`/v3/order/${former.id}/recreate`, { update_reason: "OTHER" })).status).toBe(422);
    expect((await service.call("GET", `/v3/order_transaction/${randomUUID()}`)).status).toBe(404);
  });
});

test("order events are sent again, by ids or by time", async () => {
  const order = await placeOrder(service, userId);
  const before = (await service.inbox("labtest.order.created")).length;
  const { status, body } = await post("/v3/order/resend_events", { order_ids: [order.id, randomUUID()] });
  expect([status, body.order_ids]).toEqual([200, [order.id]]);
  expect((await service.inbox("labtest.order.created")).slice(before)).toMatchObject([{ body: { data: order } }]);
  const start_at = order.created_at;
  expect((await post("/v3/order/resend_events", { start_at })).body.order_ids).toEqual([order.id]);
  for (const wrong of [{}, { start_at: "2020-01-01T00:00:00Z" }, { start_at, end_at: "2020-01-01T00:00:00Z" }]) {
    expect((await post("/v3/order/resend_events", wrong)).status).toBe(422);
  }
});

describe("patient service centers of an order", () => {
  test("belong to its lab and lie near its patient, within 25 miles by default [patient-service-centers-and-area-01] [patient-service-centers-and-area-02] [patient-service-centers-and-area-03] [limits-06]", async () => {
    const { id } = await placeOrder(service, userId);
    const { body } = await service.call("GET", `/v3/order/${id}/psc/info`);
    expect([body.lab_id, body.slug]).toEqual([4, "quest"]);
    expect(body.patient_service_centers.length).toBeGreaterThan(0);
    const around = await service.call("GET", "/v3/order/psc/info?zip_code=85004&lab_id=4&radius=25");
    expect(body).toEqual(around.body);
    for (const path of [`/v3/order/${id}/psc/info?`, "/v3/order/psc/info?zip_code=85004&lab_id=4&"]) {
      const stat = (await service.call("GET", `${path}capabilities=stat`)).body.patient_service_centers;
      expect(stat.every(({ capabilities }: Body) => capabilities.includes("stat"))).toBe(true);
      for (const radius of [10, 20, 25, 50, 100]) {
        expect((await service.call("GET", `${path}radius=${radius}`)).status).toBe(200);
      }
      expect((await service.call("GET", `${path}radius=30`)).status).toBe(422);
    }
    expect((await service.call("GET", "/v3/order/none/psc/info")).status).toBe(422);
    expect((await service.call("GET", `/v3/order/${randomUUID()}/psc/info`)).status).toBe(404);
  });
});

/** Commands of one walk; `.ci/run` sets 300. A multiple of the number of concurrent orders. */
const COMMANDS = chooseCount(30, 150, 300);

describe(`a random walk of ${COMMANDS} commands`, () => {
  test.each(Object.keys(sandboxLabTests) as (keyof typeof sandboxLabTests)[])(
    "of %s moves orders to the statuses that the domain predicts, all of them published",
    { tags: "deep" },
    async (method) => {
      // A team without a webhook endpoint, since the test reads no events.
      const { key } = await service.createTeam(`Walks of ${method}`);
      const owner = { key, userId: await service.createUser("who walks", key) };
      await fc.assert(
        fc.asyncProperty(commandRounds(method, COMMANDS), async (rounds) => {
          expect(rounds.flat()).toHaveLength(COMMANDS);
          const { done, refused, levels } = await new OrderWalk(service, owner, method).run(rounds);
          expect(done + refused).toBe(COMMANDS);
          expect(Math.min(done, refused)).toBeGreaterThan(COMMANDS / 10);
          expect(levels.size).toBeGreaterThan(6);
        }),
        { numRuns: 1, seed: 20_260_501, endOnFailure: true },
      );
    },
  );
});

describe("each published status", () => {
  const reached = new Map<string, Body>();
  beforeAll(async () => {
    const kit = { user_id: userId, lab_test_id: sandboxLabTests.testkit };
    const shipping_details = {
      ...patientAddress,
      receiver_name: "Ada Sample",
      phone_number: patientDetails.phone_number,
    };
    const begin = async (status: string): Promise<string> => {
      const [, method = "", level = ""] = status.split(".");
      const order_set = { lab_test_ids: [sandboxLabTests[method as keyof typeof sandboxLabTests]] };
      const elsewhere = imported(`of ${status}`, { order_set, collection_method: method });
      const path = { requisition_bypassed: "/import", awaiting_registration: "/testkit", registered: "/testkit" }[
        level
      ];
      const bodies: Record<string, unknown> = { "/import": elsewhere, "/testkit": { ...kit, shipping_details } };
      const answer = await post(`/v3/order${path ?? ""}`, path ? bodies[path] : orderRequest(userId, { order_set }));
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return answer.body.order.id;
    };
    const ids = await Promise.all(orderStatuses.map(begin));
    await service.settle();
    for (const [index, status] of orderStatuses.entries()) {
      // An order must be with the customer before the kit can be registered.
      const last = status.endsWith(".registered") ? "collecting_sample.testkit.with_customer" : status;
      const answer = await post(`/v3/order/${ids[index]}/test?final_status=${last}`);
      if (answer.status !== 200) throw new Error(`${status}: ${JSON.stringify(answer.body)}`);
    }
    await service.settle();
    for (const [index, status] of orderStatuses.entries()) {
      if (status.endsWith(".registered")) {
        const { sample_id } = await read(`${ids[index]}`);
        await post("/v3/order/testkit/register", {
          sample_id,
          patient_details: patientDetails,
          patient_address: patientAddress,
        });
      }
      reached.set(status, await read(`${ids[index]}`));
    }
  });

  test.each(orderStatuses)("%s is reached by an order, whose last event has it", (status) => {
    const order = reached.get(status);
    expect(order.last_event).toEqual(order.events.at(-1));
    expect([order.last_event.status, order.status]).toEqual([status, status.split(".")[0]]);
    expect(order.order_transaction.orders[0]).toMatchObject({ low_level_status: status.split(".")[2] });
  });

  test("is one of 54", () => {
    expect(reached.size).toBe(54);
  });
});
