import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";
import {
  orderStatusLevels,
  patientDetails,
  placeOrder,
  sandboxLabTests,
  simulateOrder,
} from "../orders/order-helpers.ts";
import { findFunctionName, findItemsOutsideAccessLog } from "../support/stored-items.ts";
import { createLabKey, createLabSender, createOpenOrder, createOruMessage, requisitionOf } from "./result-helpers.ts";

type Body = Answer["body"];

let service: TestService;
let userId: string;
let send: ReturnType<typeof createLabSender>;
const logged: string[] = [];
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("whose results");
  send = createLabSender(service, await createLabKey(service));
  await enablePartialResults(false);
  for (const level of ["info", "warn", "error"] as const) {
    const write = console[level];
    console[level] = (...parts) => {
      logged.push(parts.join(" "));
      write(...parts);
    };
  }
});
afterAll(() => service.stop());

const read = (path: string) => service.call("GET", `/v3${path}`);
const post = (path: string, body: unknown = {}) => service.call("POST", `/v3${path}`, { body });
const resultOf = (order: Body) => read(`/order/${order.id}/result`);
const publishedData = async (type: string, orderId: string): Promise<Body[]> =>
  (await service.inbox(type)).map(({ body }) => body.data).filter((data) => (data.order_id ?? data.id) === orderId);
const enablePartialResults = async (isEnabled: boolean) => {
  const { org_id, team_id } = service.identity;
  const sandbox = { partial_webhooks_enabled: isEnabled };
  expect((await service.manage("PATCH", `/v1/org/${org_id}/team/${team_id}`, { body: { sandbox } })).status).toBe(200);
  await service.advance(61_000);
};

describe("a result that the laboratory withdraws", () => {
  const day = (number: number) => `2026-05-0${number}T08:00:00Z`;
  const levelsOf = async ({ id }: Body) => orderStatusLevels((await read(`/order/${id}`)).body);
  const messageOf = (order: Body, control: string, about: object) =>
    createOruMessage({ control, requisition: requisitionOf(order), report: `W-${order.id.slice(0, 8)}`, ...about });

  test("disappears from a completed order, which publishes it once", { tags: "deep" }, async () => {
    const order = await createOpenOrder(service, userId);
    const code = async (text: string) => (await send(text)).code;
    expect(await code(messageOf(order, "WD1", { value: "700", flag: "HH", reported: day(1) }))).toBe("AA");
    const withdrawal = messageOf(order, "WD2", { status: "W", reported: day(2) });
    expect([await code(withdrawal), await code(withdrawal)]).toEqual(["AA", "AA"]);
    const { body } = await resultOf(order);
    expect(body.results).toEqual([]);
    expect(body.missing_results.map(({ loinc }: Body) => loinc)).toContain("2345-7");
    expect(JSON.stringify(body)).not.toContain("700");
    const after = (await read(`/order/${order.id}`)).body;
    expect(after).toMatchObject({ has_missing_results: true, status: "completed" });
    expect(after.interpretation).not.toBe("critical");
    expect((await levelsOf(order)).slice(-2)).toEqual(["completed", "corrected"]);
    const statuses = (await publishedData("labtest.order.updated", order.id)).map(({ status }) => status);
    expect(statuses.slice(-2)).toEqual(["completed", "completed"]);
    expect(await code(messageOf(order, "WD3", { value: "91", status: "C", reported: day(3) }))).toBe("AA");
    expect((await resultOf(order)).body.results.map(({ result }: Body) => result)).toEqual(["91"]);
  });

  test("is remembered when its withdrawal overtakes it", { tags: "deep" }, async () => {
    const order = await createOpenOrder(service, userId);
    expect((await send(messageOf(order, "WO2", { status: "D", reported: day(2) }))).code).toBe("AA");
    expect((await levelsOf(order)).at(-1)).toBe("requisition_created");
    expect((await resultOf(order)).status).toBe(404);
    expect((await send(messageOf(order, "WO1", { value: "700", reported: day(1) }))).code).toBe("AA");
    expect((await resultOf(order)).body.results).toEqual([]);
  });
});

describe("the result of a simulated order", () => {
  test.each(Object.entries(sandboxLabTests))(
    "of %s exists after completion, with all ordered markers",
    { tags: "deep" },
    async (method, id) => {
      const order = await placeOrder(service, userId, { order_set: { lab_test_ids: [id] } });
      const none = await resultOf(order);
      expect([none.status, none.body.code, none.body.detail]).toEqual([
        404,
        "not_found",
        "This order has no result yet.",
      ]);
      const done = await simulateOrder(service, order.id, "", { interpretation: "abnormal" });
      expect(done).toMatchObject({ interpretation: "abnormal", has_missing_results: false, details: { type: method } });
      const { body } = await resultOf(order);
      expect(body.metadata).toMatchObject({ patient: "Ada Sample", status: "final", interpretation: "abnormal" });
      expect(body.missing_results).toEqual([]);
      expect(body.results.length).toBeGreaterThan(1);
      expect(new Set(body.results.map(({ loinc }: Body) => loinc)).size).toBe(body.results.length);
      expect(body.results.filter(({ interpretation }: Body) => interpretation !== "normal")).toHaveLength(1);
      expect((await read(`/order/${order.id}/result/metadata`)).body).toEqual(body.metadata);
    },
  );

  test("is a readable document, also for its transaction", { tags: "deep" }, async () => {
    const order = await placeOrder(service, userId);
    expect((await read(`/order/${order.id}/result/pdf`)).status).toBe(404);
    await simulateOrder(service, order.id);
    const transaction = `/order_transaction/${order.order_transaction.id}/result`;
    for (const path of [`/order/${order.id}/result/pdf`, `${transaction}/pdf`]) {
      const { status, headers, body } = await read(path);
      expect([status, headers.get("content-type"), body.slice(0, 5)]).toEqual([200, "application/pdf", "%PDF-"]);
    }
    expect((await read(transaction)).body).toEqual((await resultOf(order)).body);
    expect((await read(`/order_transaction/${randomUUID()}/result`)).status).toBe(404);
    expect((await read(`/order/${randomUUID()}/result`)).status).toBe(404);
  });

  test("sends one event if it is critical, and names missing markers", { tags: "deep" }, async () => {
    const order = await placeOrder(service, userId);
    await simulateOrder(service, order.id, "", { interpretation: "critical", has_missing_results: true });
    const [critical, ...others] = await publishedData("labtest.result.critical", order.id);
    expect([critical, others]).toMatchObject([{ interpretation: "critical", user_id: userId }, []]);
    const { body } = await resultOf(order);
    expect(body.missing_results).toMatchObject([{ inferred_failure_type: "quantity_not_sufficient_failure" }]);
    expect((await read(`/order/${order.id}`)).body.has_missing_results).toBe(true);
  });
});

describe("an HL7 message", () => {
  test("completes its order once, with values interpreted by the patient's sex and age, however often it arrives", {
    tags: "deep",
  }, async () => {
    const order = await createOpenOrder(service, userId);
    const message = createOruMessage({ control: "M1", requisition: requisitionOf(order), value: "450", flag: "HH" });
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(message)));
    expect(answers.map(({ status, code }) => [status, code])).toEqual(answers.map(() => [200, "AA"]));
    expect(answers[0]?.headers.get("content-type")).toContain("application/hl7-v2");
    await service.settle();
    const done = (await read(`/order/${order.id}`)).body;
    expect([orderStatusLevels(done).at(-1), done.interpretation]).toEqual(["completed", "critical"]);
    expect(orderStatusLevels(done).filter((level) => level === "completed")).toHaveLength(1);
    const { body } = await resultOf(order);
    expect(body.results).toMatchObject([{ loinc: "2345-7", value: 450, is_above_max_range: true, unit: "mg/dL" }]);
    expect(body.missing_results.length).toBeGreaterThan(1);
    expect(await publishedData("labtest.result.critical", order.id)).toHaveLength(1);
    expect(await publishedData("labtest.order.updated", order.id)).toHaveLength(2);
  });

  test("corrects an existing result, and its control id is refused for another message", { tags: "deep" }, async () => {
    const order = await createOpenOrder(service, userId);
    const about = { requisition: requisitionOf(order) };
    await send(createOruMessage({ ...about, control: "M2", value: "120" }));
    const reported = "2026-05-02T08:00:00Z";
    const other = await send(createOruMessage({ ...about, control: "M2", value: "90", status: "C", reported }));
    expect([other.status, other.code, other.body]).toEqual([
      422,
      "AE",
      expect.stringContaining("already used this message number"),
    ]);
    expect((await send(createOruMessage({ ...about, control: "M3", value: "90", status: "C", reported }))).code).toBe(
      "AA",
    );
    expect(orderStatusLevels((await read(`/order/${order.id}`)).body).slice(-2)).toEqual(["completed", "corrected"]);
    expect((await resultOf(order)).body.results).toMatchObject([{ value: 90, interpretation: "normal" }]);
  });

  test("shows partial results only to a team that enables them [events-29]", async () => {
    const order = await createOpenOrder(service, userId);
    await send(createOruMessage({ control: "M4", requisition: requisitionOf(order), status: "P" }));
    expect(orderStatusLevels((await read(`/order/${order.id}`)).body).at(-1)).toBe("partial_results");
    const hidden = await resultOf(order);
    expect([hidden.status, hidden.body.detail]).toEqual([404, expect.stringContaining("not complete yet")]);
    await enablePartialResults(true);
    const { body } = await resultOf(order);
    expect([body.metadata.status, body.missing_results, body.results.length]).toEqual(["partial", null, 1]);
    expect((await read(`/order/${order.id}/result/pdf`)).status).toBe(200);
    await enablePartialResults(false);
    await send(
      createOruMessage({ control: "M5", requisition: requisitionOf(order), reported: "2026-05-03T08:00:00Z" }),
    );
    expect((await resultOf(order)).body.metadata.status).toBe("final");
  });

  test("that only states progress or a cancellation changes nothing, and its control id is used", async () => {
    const order = await createOpenOrder(service, userId);
    const about = { requisition: requisitionOf(order), report: "PR" };
    const withoutValue = (control: string, status: string) =>
      createOruMessage({ ...about, control, status }).replace(/OBX[^\r]+\r/, "");
    const events = async () => (await publishedData("labtest.order.updated", order.id)).length;
    const before = [(await read(`/order/${order.id}`)).body, await events()];
    for (const [control, status] of [
      ["PR1", "O"],
      ["PR2", "S"],
      ["PR1", "O"],
    ] as const)
      expect((await send(withoutValue(control, status))).code).toBe("AA");
    const other = withoutValue("PR1", "O")
      .replace(/^(MSH.+)20260501/, "$120260502")
      .replaceAll("|PR|", "|PS|");
    expect((await send(other)).body).toContain("already used this message number");
    expect(await send(withoutValue("PR3", "X"))).toMatchObject({ status: 422, code: "AE" });
    expect([(await read(`/order/${order.id}`)).body, await events()]).toEqual(before);
    expect((await resultOf(order)).status).toBe(404);
    expect((await send(createOruMessage({ ...about, control: "PR4", status: "P" }))).code).toBe("AA");
    expect((await send(createOruMessage({ ...about, control: "PR3" }))).code).toBe("AA");
    expect(orderStatusLevels((await read(`/order/${order.id}`)).body).slice(-2)).toEqual([
      "partial_results",
      "completed",
    ]);
  });

  test.each([
    ["text that is not a message", "hello", "AR"],
    ["another message type", createOruMessage({ control: "M6" }).replace("ORU^R01", "ADT^A01"), "AR"],
    ["a missing control id", createOruMessage({ control: "" }), "AE"],
    ["no patient", createOruMessage({ control: "M7" }).replace("PID|", "ZPI|"), "AE"],
  ])("is refused for %s", async (_, text, code) => {
    expect(await send(text)).toMatchObject({ status: 422, code });
  });

  test("may be one of a batch, of which each is acknowledged and the accepted ones are stored", async () => {
    const orders = [await createOpenOrder(service, userId), await createOpenOrder(service, userId)];
    const messages = orders.map((order, place) =>
      createOruMessage({ control: `B${place}`, requisition: requisitionOf(order) }),
    );
    const refused = createOruMessage({ control: "B9" }).replace("PID|", "ZPI|");
    const { status, body } = await send(["BHS|^~\\&|LIS\r", ...messages, refused, "BTS|3\r"].join(""));
    expect(status).toBe(422);
    expect(String(body).match(/MSA\|[^\r]+/g)).toEqual(["MSA|AA|B0", "MSA|AA|B1", "MSA|AE|B9"]);
    for (const order of orders) expect((await resultOf(order)).body.metadata.status).toBe("final");
  });

  test("is accepted only from a laboratory with its key", async () => {
    const body = createOruMessage({ control: "M8" });
    const { api_key } = service.identity;
    const attempts = [{}, { "x-lab-key": api_key }, { "x-service-api-key": api_key }, { "x-lab-key": "" }];
    for (const headers of attempts) {
      expect((await service.call("POST", "/v3/lab_result", { body, key: null, headers })).status).toBe(401);
    }
    const key = await createLabKey(service);
    expect((await service.call("GET", "/v3/orders", { key })).status).toBe(401);
  });
});

test("a FHIR message is answered with an OperationOutcome", async () => {
  const order = await createOpenOrder(service, userId);
  const golden = readFileSync(new URL("../../../unit/labs/golden/report.fhir.json", import.meta.url), "utf8");
  const taken = await send(golden.replaceAll("REQ0001", requisitionOf(order)));
  expect([taken.status, JSON.parse(JSON.stringify(taken.body))]).toMatchObject([
    200,
    { resourceType: "OperationOutcome" },
  ]);
  expect(orderStatusLevels((await read(`/order/${order.id}`)).body).at(-1)).toBe("completed");
  const refused = await send("{");
  expect([refused.status, refused.body.issue[0].severity]).toEqual([422, "error"]);
});

describe("a report that matches no order", () => {
  test("waits for a reviewer, who accepts it for the only candidate order", { tags: "deep" }, async () => {
    const last_name = "Accepted";
    const order = await createOpenOrder(service, userId, { patient_details: { ...patientDetails, last_name } });
    expect((await send(createOruMessage({ control: "U1", last_name, value: "200" }))).code).toBe("AA");
    const { body: page } = await read(
      "/unmatched_result?decision_code=match_demo&lab_slug=quest&search_input=accepted",
    );
    expect(page).toMatchObject({
      total: 1,
      next_cursor: null,
      data: [{ patient: { last_name }, interpretation: "abnormal" }],
    });
    const [review] = page.data;
    expect(review.candidate_groups).toMatchObject([{ user_id: userId, candidates: [{ order_id: order.id }] }]);
    expect((await read(`/unmatched_result/${review.id}`)).body).toEqual(review);
    expect((await resultOf(order)).status).toBe(404);
    const accepted = await post(`/unmatched_result/${review.id}/accept`, { note: "She called." });
    expect([accepted.status, orderStatusLevels(accepted.body).at(-1)]).toEqual([200, "completed"]);
    expect((await resultOf(order)).body.results).toMatchObject([{ value: 200 }]);
    const after = (await read(`/unmatched_result/${review.id}`)).body;
    expect(after).toMatchObject({
      status: "resolved",
      resolved_order_id: order.id,
      note: "She called.",
      allowed_actions: [],
    });
    expect((await post(`/unmatched_result/${review.id}/accept`)).status).toBe(400);
    const events = (await service.inbox()).filter(({ body }) => body.data.id === review.id);
    expect(events.map(({ body }) => [body.event_type, Object.keys(body).toSorted()])).toEqual(
      ["created", "updated"].map((verb) => [`labtest.match_review.${verb}`, ["data", "event_type", "team_id"]]),
    );
    const feed = (await service.call("GET", "/v2/events?limit=500")).body.events;
    expect(feed.map(({ body }: Body) => body)).toEqual(expect.arrayContaining(events.map(({ body }) => body)));
  });

  test("is rejected, or deferred to another reviewer", async () => {
    for (const [control, action, status] of [
      ["U2", "reject", "resolved"],
      ["U3", "unsure", "pending_ops_review"],
    ]) {
      await send(createOruMessage({ control: `${control}`, last_name: "Nobody" }));
      const { data } = (await read("/unmatched_result?status=pending_customer_review&search_input=nobody")).body;
      expect(data).toMatchObject([{ decision_code: "no_match", allowed_actions: ["reject", "unsure"] }]);
      const path = `/unmatched_result/${data[0].id}`;
      expect((await post(`${path}/accept`)).status).toBe(400);
      expect((await post(`${path}/resolve`, { action: "accept" })).status).toBe(422);
      expect((await post(`${path}/resolve`, { action })).body).toMatchObject({ status, resolution_action: action });
    }
    expect((await post(`/unmatched_result/${randomUUID()}/accept`)).status).toBe(404);
  });

  test("is listed in pages, with cursors bound to their query", { tags: "deep" }, async () => {
    for (const control of ["P1", "P2", "P3"]) {
      await send(createOruMessage({ control, last_name: "Paged" }));
      await service.advance(1_000);
    }
    const query = "/unmatched_result?search_input=paged&limit=2";
    const first = (await read(query)).body;
    const second = (await read(`${query}&next_cursor=${first.next_cursor}`)).body;
    expect([first.total, first.data.length, second.data.length, second.next_cursor]).toEqual([3, 2, 1, null]);
    expect(new Set([...first.data, ...second.data].map(({ id }: Body) => id)).size).toBe(3);
    expect((await read(`/unmatched_result?limit=2&next_cursor=${first.next_cursor}`)).status).toBe(422);
    expect((await read("/unmatched_result?lab_slug=zz")).body.detail[0].loc).toEqual(["query", "lab_slug"]);
    const day = new Date(service.cloud.clock.now()).toISOString().slice(0, 10);
    expect((await read(`${query}&created_at_start=${day}&created_at_end=${day}`)).body.total).toBe(3);
    expect((await read(`${query}&created_at_end=2000-01-01`)).body.total).toBe(0);
  });

  test("belongs to the team that issued the laboratory's key", async () => {
    const { key } = await service.createTeam("another team");
    expect((await service.call("GET", "/v3/unmatched_result", { key })).body).toMatchObject({ data: [], total: 0 });
  });
});

describe("a match test", () => {
  const start = (body: unknown, key: string | undefined) =>
    service.call("POST", "/v3/unmatched_result_test", {
      body,
      headers: key === undefined ? {} : { "x-idempotency-key": key },
    });
  const managed = (name: string) => ({ case: name, order_source: "managed" });
  const cases = [
    ["match_completed", ["accept", "reject", "unsure"]],
    ["match_cancelled", ["reject", "unsure"]],
    ["wrong_collection", ["reject", "unsure"]],
    ["wrong_lab", ["reject", "unsure"]],
    ["multiple_demo_match", ["accept", "reject", "unsure"]],
    ["match_sample_id_mismatch_demo", ["accept", "reject", "unsure"]],
    ["match_demo", ["accept", "reject", "unsure"]],
    ["no_match", ["reject", "unsure"]],
  ] as const;

  test("runs for each case, and creates a review of its kind", { tags: "deep" }, async () => {
    const { data } = (await read("/unmatched_result_test/case")).body;
    expect(data.map((one: Body) => one.case)).toEqual(cases.map(([name]) => name));
    for (const [name, actions] of cases) {
      const { status, body } = await start({ ...managed(name), interpretation: "critical" }, name);
      expect([status, body]).toEqual([202, { run_id: expect.any(String), status: "queued" }]);
      await service.settle();
      const run = (await read(`/unmatched_result_test/${body.run_id}`)).body;
      expect(run).toMatchObject({ case: name, status: "succeeded", stage: "succeeded", error: null });
      expect(Object.keys(run.orders).toSorted()).toEqual(data.find((one: Body) => one.case === name).order_roles);
      const review = (await read(`/unmatched_result/${run.raw_result_id}`)).body;
      expect(review).toMatchObject({ decision_code: name, interpretation: "critical", allowed_actions: actions });
    }
  });

  test.for(["match_completed", "no_match"])(
    "succeeds for %s after its container ended at some call",
    { tags: "deep" },
    async (name) => {
      const { host } = service.cloud;
      for (let calls = 2; calls < 50; calls += 1) {
        let isFirst = true;
        host.crashPlan = (fn) => {
          const ends = isFirst && fn === findFunctionName(service, "runUnmatchedResultTest");
          isFirst &&= !ends;
          return ends ? calls : undefined;
        };
        const { run_id } = (await start(managed(name), `${name}, which ended at call ${calls}`)).body;
        await service.settle();
        host.crashPlan = () => undefined;
        expect(isFirst).toBe(false);
        // Its message returns to the queue.
        await service.advance(15 * 60_000);
        const run = (await read(`/unmatched_result_test/${run_id}`)).body;
        expect([calls, run.status, run.error]).toEqual([calls, "succeeded", null]);
      }
    },
  );

  test("of a completed order corrects its values once it is accepted, and tells of a critical result", async () => {
    const { run_id } = (await start({ ...managed("match_completed"), interpretation: "critical" }, "corrects")).body;
    await service.settle();
    const run = (await read(`/unmatched_result_test/${run_id}`)).body;
    const { order_id } = run.orders.order;
    const before = (await resultOf({ id: order_id })).body;
    expect(before.metadata.interpretation).toBe("normal");
    expect((await post(`/unmatched_result/${run.raw_result_id}/accept`)).status).toBe(200);
    await service.settle();
    const after = (await resultOf({ id: order_id })).body;
    expect(after.metadata.interpretation).toBe("critical");
    const valuesOf = ({ results }: Body) => results.map(({ slug, result }: Body) => [slug, result]);
    expect(valuesOf(after)).not.toEqual(valuesOf(before));
    expect(await publishedData("labtest.result.critical", order_id)).toHaveLength(1);
  });

  test("runs once per idempotency key, which has 1 to 255 characters and one body", async () => {
    const key = "k".repeat(255);
    const [first, again] = [await start(managed("no_match"), key), await start(managed("no_match"), key)];
    expect([first.status, again.body]).toEqual([202, first.body]);
    expect((await start(managed("match_demo"), key)).status).toBe(409);
    for (const wrong of [undefined, "", `${key}k`]) expect((await start(managed("no_match"), wrong)).status).toBe(422);
  });

  test("uses given orders of the team, and names the unsuitable ones", async () => {
    const order = await createOpenOrder(service, userId, {
      patient_details: { ...patientDetails, last_name: "Provided" },
    });
    const of = (name: string, orders: object) => ({ case: name, order_source: "provided", orders });
    const suited = (await start(of("match_demo", { order: order.id }), "provided")).body;
    const other = (await start(of("match_cancelled", { order: order.id }), "not cancelled")).body;
    await service.settle();
    expect((await read(`/unmatched_result_test/${suited.run_id}`)).body).toMatchObject({
      status: "succeeded",
      orders: { order: { order_id: order.id, user_id: userId } },
    });
    expect((await read(`/unmatched_result_test/${other.run_id}`)).body).toMatchObject({
      status: "failed",
      error: { code: "order_status", message: expect.stringContaining("requisition_created") },
    });
    expect((await start(of("match_demo", {}), "none given")).body.detail[0].loc).toEqual(["body", "orders", "order"]);
    expect((await read(`/unmatched_result_test/${randomUUID()}`)).status).toBe(404);
  });
});

test("results and reviews are erased with their user, and a user in the grace period gets no new ones", {
  tags: "deep",
}, async () => {
  const gone = await service.createUser("who goes");
  const last_name = "Leaving";
  const of = { patient_details: { ...patientDetails, last_name } };
  const [done, open] = [await createOpenOrder(service, gone, of), await createOpenOrder(service, gone, of)];
  await simulateOrder(service, done.id);
  await send(createOruMessage({ control: "D1", last_name }));
  const { data } = (await read("/unmatched_result?search_input=leaving")).body;
  expect(data).toHaveLength(1);
  await service.call("DELETE", `/v2/user/${gone}`);
  expect((await read("/unmatched_result?search_input=leaving")).body.total).toBe(0);
  expect((await read(`/unmatched_result/${data[0].id}`)).status).toBe(404);
  const late = await send(createOruMessage({ control: "D2", last_name, requisition: requisitionOf(open) }));
  expect([late.status, late.code]).toEqual([422, "AE"]);
  const other = await send(createOruMessage({ control: "D3", last_name, requisition: requisitionOf(done) }));
  expect([other.status, other.code]).toEqual([422, "AE"]);
  await service.advance(8 * 86_400_000);
  for (const id of [gone, done.id, open.id, requisitionOf(done)])
    expect(await findItemsOutsideAccessLog(service, id)).toEqual([]);
  // The events of the team remain, without patient names.
  const left = await findItemsOutsideAccessLog(service, data[0].id);
  expect(left.filter((item) => !item.includes("Tableevents"))).toEqual([]);
});

test("the log contains no data of patients", () => {
  expect(logged.filter((line) => line.includes("report received")).length).toBeGreaterThan(0);
  for (const secret of ["Ada", "Sample", "Leaving", "1990-05-17", "19900517"]) {
    expect(logged.filter((line) => line.includes(secret))).toEqual([]);
  }
});
