import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";
import { callAppointment, cancellationRequest, listFreeSlots } from "../appointments/appointment-helpers.ts";
import { placeOrder, sandboxLabTests, simulateOrder } from "../orders/order-helpers.ts";
import { createLabKey, createLabSender, createOpenOrder, createOruMessage, requisitionOf } from "./result-helpers.ts";

type Body = Answer["body"];

let service: TestService;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("who waits for results");
});
afterAll(() => service.stop());

const track = (id: string, key?: string) => service.call("GET", `/v3/order/${id}/tracking`, key ? { key } : {});
const read = async (id: string): Promise<Body> => (await service.call("GET", `/v3/order/${id}`)).body;
const midnight = (date: string) => `${date}T00:00:00.000Z`;
const nothing = { original_estimate: null, current_estimate: null };
const statusesOf = ({ markers }: Body): string[] => markers.map(({ status }: Body) => status);

describe("the progress of an order", () => {
  test("knows no time before the sample or an appointment, and has every ordered marker", async () => {
    const order = await placeOrder(service, userId);
    const { status, body } = await track(order.id);
    expect([status, body]).toEqual([
      200,
      {
        order_id: order.id,
        expected_at: { final_results: nothing },
        collected_at: null,
        markers: expect.any(Array),
        updates: [],
      },
    ]);
    expect(body.markers.length).toBeGreaterThan(0);
    for (const marker of body.markers) {
      expect(marker).toMatchObject({ status: "pending", expected_at: nothing, results: [] });
      expect(order.lab_test.markers).toContainEqual(expect.objectContaining({ id: marker.id, slug: marker.slug }));
    }
  });

  test.each(Object.entries(sandboxLabTests))(
    "of %s ends with results for all markers",
    { tags: "deep" },
    async (_, id) => {
      const order = await placeOrder(service, userId, { order_set: { lab_test_ids: [id] } });
      const done = await simulateOrder(service, order.id);
      const { body } = await track(order.id);
      expect(new Set(statusesOf(body))).toEqual(new Set(["resulted"]));
      const result = (await service.call("GET", `/v3/order/${order.id}/result`)).body;
      const named = body.markers.flatMap(({ results }: Body) => results.map(({ slug }: Body) => slug));
      expect(new Set(named)).toEqual(new Set(result.results.map(({ slug }: Body) => slug)));
      const { date_collected: collected_at } = result.metadata;
      expect(body.collected_at).toEqual({ collected_at, is_inferred: false, inferred_from: null });
      const { current_estimate } = body.expected_at.final_results;
      expect(current_estimate).toBe(done.expected_result_by_date && midnight(done.expected_result_by_date));
    },
  );

  test("of a kit counts from its arrival at the laboratory, each marker with its own time", {
    tags: "deep",
  }, async () => {
    const order_set = { lab_test_ids: [sandboxLabTests.testkit] };
    const { id } = await placeOrder(service, userId, { order_set });
    const query = "?final_status=sample_with_lab.testkit.delivered_to_lab";
    const arrived = await simulateOrder(service, id, query);
    const { body } = await track(id);
    const { created_at: collected_at } = arrived.last_event;
    expect(body.collected_at).toEqual({ collected_at, is_inferred: true, inferred_from: "lab_arrival" });
    const estimate = midnight(arrived.expected_result_by_date);
    expect(body.expected_at.final_results).toEqual({ original_estimate: estimate, current_estimate: estimate });
    const last = body.markers.map(({ expected_at }: Body) => expected_at.current_estimate).toSorted();
    expect([last.at(-1), new Set(statusesOf(body))]).toEqual([estimate, new Set(["pending"])]);
  });

  test("names the markers that the final result lacks", { tags: "deep" }, async () => {
    const order = await placeOrder(service, userId);
    await simulateOrder(service, order.id, "", { has_missing_results: true });
    const { missing_results } = (await service.call("GET", `/v3/order/${order.id}/result`)).body;
    const { body } = await track(order.id);
    const incomplete = body.markers.filter(({ status }: Body) => status === "incomplete").map(({ id }: Body) => id);
    const lacking = missing_results.flatMap(({ source_markers }: Body) => source_markers);
    expect(lacking.length).toBeGreaterThan(0);
    expect(incomplete).toEqual(expect.arrayContaining(lacking.map(({ marker_id }: Body) => marker_id)));
  });

  test("has no current estimate after a cancellation", async () => {
    const order_set = { lab_test_ids: [sandboxLabTests.on_site_collection] };
    const order = await placeOrder(service, userId, { order_set });
    await service.call("POST", `/v3/order/${order.id}/cancel`);
    expect((await track(order.id)).body.expected_at.final_results).toEqual(nothing);
  });

  test("follows the appointment, and keeps each estimate", { tags: "deep" }, async () => {
    const order = await createOpenOrder(service, userId);
    const slots = await listFreeSlots(service, "psc");
    const dayOf = ({ start }: { start: string }) => new Date(start).toISOString().slice(0, 10);
    const [first] = slots;
    const second = slots.find((slot) => first && dayOf(slot) > dayOf(first));
    const third = slots.findLast((slot) => second && dayOf(slot) > dayOf(second));
    const book = async (name: "book" | "reschedule", slot: typeof first) => {
      const body = { booking_key: slot?.booking_key };
      expect((await callAppointment(service, "psc", order.id, name, body)).status).toBe(200);
      await service.settle();
      return midnight((await read(order.id)).expected_result_by_date);
    };
    const planned = [await book("book", first), await book("reschedule", second)];
    await callAppointment(service, "psc", order.id, "cancel", cancellationRequest.psc);
    await service.settle();
    const [original_estimate, moved] = planned;
    const ended = { original_estimate, current_estimate: null };
    expect((await track(order.id)).body.expected_at.final_results).toEqual(ended);
    expect(await read(order.id)).toMatchObject({ expected_result_by_date: null, worst_case_result_by_date: null });
    const current_estimate = await book("book", third);
    const { body } = await track(order.id);
    expect(new Set([...planned, current_estimate]).size).toBe(3);
    expect(body.expected_at.final_results).toEqual({ original_estimate, current_estimate });
    const revised = body.updates.map(({ revised_estimate }: Body) => revised_estimate);
    expect(revised).toEqual([moved, null, current_estimate]);
    for (const update of body.updates) {
      expect(update).toMatchObject({ reason: expect.any(String), source: "patient" });
      expect(update.impacted_markers.map(({ id }: Body) => id)).toEqual(body.markers.map(({ id }: Body) => id));
    }
    expect(body.collected_at).toBeNull();
    await service.advance(15 * 86_400_000);
    const collected_at = new Date(third?.start ?? "").toISOString();
    const started = { collected_at, is_inferred: true, inferred_from: "scheduled_appointment" };
    expect((await track(order.id)).body.collected_at).toEqual(started);
  });

  test("shows partial results only to a team that enabled them", async () => {
    const send = createLabSender(service, await createLabKey(service));
    const order = await createOpenOrder(service, userId);
    const report = createOruMessage({ control: "T1", requisition: requisitionOf(order), status: "P" });
    expect((await send(report)).code).toBe("AA");
    await service.settle();
    const reported = async () =>
      (await track(order.id)).body.markers.flatMap(({ results }: Body) => results.map(({ name }: Body) => name));
    const { org_id, team_id } = service.identity;
    const enable = async (partial_webhooks_enabled: boolean) => {
      const body = { sandbox: { partial_webhooks_enabled } };
      await service.manage("PATCH", `/v1/org/${org_id}/team/${team_id}`, { body });
      await service.advance(61_000);
    };
    await enable(false);
    expect(await reported()).toEqual([]);
    await enable(true);
    const names = await reported();
    expect(new Set(names.map((name: string) => /glucose/i.test(name)))).toEqual(new Set([true]));
    expect(new Set(statusesOf((await track(order.id)).body))).toContain("pending");
  });
});

describe("the progress is not found", () => {
  test("of an unknown order, an order of another team, or of a deleted user", async () => {
    const { key } = await service.createTeam("another");
    const owner = await service.createUser("who leaves with orders");
    const { id } = await placeOrder(service, owner);
    expect((await track(id)).status).toBe(200);
    const answers = [await track(randomUUID()), await track(id, key)];
    await service.call("DELETE", `/v2/user/${owner}`);
    answers.push(await track(id));
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([404, "not_found"]));
    expect((await track("nothing")).status).toBe(422);
  });
});
