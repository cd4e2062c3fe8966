import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";
import { orderRequest, orderStatusLevels, placeOrder, simulateOrder } from "./order-helpers.ts";

type Body = Answer["body"];

let service: TestService;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("whose order went astray");
});
afterAll(() => service.stop());

const recreate = (orderId: string, more: Readonly<Record<string, unknown>> = {}) =>
  service.call("POST", `/v3/order/${orderId}/recreate`, { body: { update_reason: "INCORRECT_LAB", ...more } });
const place = (more: Readonly<Record<string, unknown>>) =>
  service.call("POST", "/v3/order", { body: orderRequest(userId, { collection_method: "walk_in_test", ...more }) });
const transactionOf = async ({ order_transaction }: Body): Promise<Body[]> =>
  (await service.call("GET", `/v3/order_transaction/${order_transaction.id}`)).body.orders;

/** Finds a walk-in marker of a lab that asks a required question, with an answer that it takes. */
async function findAskingMarker(lab: string) {
  const { body } = await service.call("GET", `/v3/lab_tests/markers?lab_slug=${lab}&size=100&name=cortisol`);
  for (const { id, aoe } of body.markers) {
    const [question, ...others] = aoe?.questions.filter(({ required }: Body) => required) ?? [];
    const answer = question?.answers[0]?.code ?? "1";
    if (question && others.length === 0) return { id, answers: [{ marker_id: id, question_id: question.id, answer }] };
  }
  throw new Error(`${lab} asks nothing`);
}

test("an imported order cannot be recreated", async () => {
  const body = {
    ...orderRequest(userId),
    ...{ billing_type: "client_bill", collection_method: "walk_in_test", sample_id: "Elsewhere 1" },
  };
  const { order } = (await service.call("POST", "/v3/order/import", { body })).body;
  const { status, body: refusal } = await recreate(order.id);
  expect([status, refusal.code]).toEqual([400, "not_possible"]);
  expect(await transactionOf(order)).toHaveLength(1);
});

describe("an order is recreated once", () => {
  test("by several calls at once, and its recreation can be recreated in turn", async () => {
    const order = await placeOrder(service, userId);
    const answers = await Promise.all(Array.from({ length: 4 }, () => recreate(order.id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
    expect((await recreate(order.id)).body.code).toBe("not_possible");
    const made = answers.find(({ status }) => status === 200)?.body.order;
    expect((await transactionOf(order)).map(({ id }) => id)).toEqual([order.id, made.id]);
    const next = await recreate(made.id);
    expect(next.status).toBe(200);
    const parents = (await transactionOf(order)).map(({ parent_id }) => parent_id);
    expect(parents).toEqual([null, order.id, made.id]);
  });

  test("and not after a redraw", { tags: "deep" }, async () => {
    const order = await placeOrder(service, userId);
    const former = await simulateOrder(
      service,
      order.id,
      "?final_status=collecting_sample.walk_in_test.redraw_available",
    );
    expect(orderStatusLevels(former).at(-1)).toBe("redraw_available");
    expect((await recreate(order.id)).status).toBe(400);
    expect((await transactionOf(order)).map(({ origin }) => origin)).toEqual(["initial", "redraw"]);
  });
});

describe("the rules of a first order hold for a recreation", () => {
  const reasonsOf = ({ status, body }: Answer) => [status, body.detail.map(({ msg }: Body) => msg)];

  test("questions of the laboratory need answers", async () => {
    const { id, answers } = await findAskingMarker("labcorp");
    const order_set = { add_on: { marker_ids: [id] } };
    const order = await placeOrder(service, userId);
    const refused = await recreate(order.id, { order_set });
    expect(reasonsOf(refused)).toEqual(reasonsOf(await place({ order_set })));
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ["body", "aoe_answers"]]);
    const recreated = await recreate(order.id, { order_set, aoe_answers: answers });
    expect([recreated.status, recreated.body.order?.lab_test.lab.slug]).toEqual([200, "labcorp"]);
    const again = await recreate(recreated.body.order.id);
    expect(again.status, "the former answers count").toBe(200);
  });

  test("the lab account must allow the billing type in the state of the patient", async () => {
    const { org_id } = service.identity;
    const { teamId, key } = await service.createTeam("Bills in California");
    const owner = await service.createUser("of Arizona", key);
    const account = { lab: "bioreference", provider_account_id: "CA 1", team_id_allowlist: [teamId] };
    const body = { ...account, allowed_billing: { client_bill: ["CA"] } };
    const path = `/v1/org/${org_id}/lab_account/sandbox/us`;
    expect((await service.manage("POST", path, { body })).status).toBe(201);
    const post = (to: string, given: object) => service.call("POST", to, { key, body: given });
    const { markers } = (await service.call("GET", "/v3/lab_tests/markers?lab_slug=bioreference&size=1")).body;
    const order_set = { add_on: { marker_ids: [markers[0].id] } };
    const direct = orderRequest(owner, { order_set, collection_method: "walk_in_test" });
    const { id } = (await post("/v3/order", orderRequest(owner))).body.order;
    const refused = await post(`/v3/order/${id}/recreate`, { update_reason: "INCORRECT_LAB", order_set });
    expect(reasonsOf(refused)).toEqual(reasonsOf(await post("/v3/order", direct)));
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ["body", "lab_account_id"]]);
    expect((await service.call("GET", `/v3/order/${id}`, { key })).body.events).toHaveLength(1);
  });

  test("an order set must not be empty", async () => {
    const order = await placeOrder(service, userId);
    expect(reasonsOf(await recreate(order.id, { order_set: {} }))).toEqual([422, ["The order set is empty"]]);
  });
});
