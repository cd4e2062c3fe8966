import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requisitionNumber } from "../../../../lib/domain/orders/lab-partner.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { readBarCodes, readPageTexts, removeSpaces } from "../../../unit/labs/documents/read-pdf.ts";
import { findItemsContaining } from "../support/stored-items.ts";
import {
  orderRequest,
  orderStatusLevels,
  patientAddress,
  patientDetails,
  placeOrder,
  sandboxLabTests,
  simulateOrder,
} from "./order-helpers.ts";

type Body = Answer["body"];

let service: TestService;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("who has papers");
});
afterAll(() => service.stop());

const post = (path: string, body?: unknown) => service.call("POST", path, body === undefined ? {} : { body });
const read = async (orderId: string): Promise<Body> => (await service.call("GET", `/v3/order/${orderId}`)).body;

/** Reads a document of an order. */
async function paperOf(orderId: string, path: string): Promise<Buffer> {
  const answer = await fetch(`${service.baseUrl}/v3/order/${orderId}/${path}`, {
    headers: { "x-service-api-key": service.identity.api_key },
  });
  if (answer.status !== 200) throw new Error(await answer.text());
  expect(answer.headers.get("content-type")).toBe("application/pdf");
  return Buffer.from(await answer.arrayBuffer());
}
const textOf = async (pdf: Buffer) => (await readPageTexts(pdf)).join("");
/** Returns the reason why a document does not exist. */
const refusal = async (orderId: string, path: string) => {
  const { status, body } = await service.call("GET", `/v3/order/${orderId}/${path}`);
  return [status, body.detail];
};

const physician = { first_name: "Grace", last_name: "Physician", npi: "1234567893" };
const LABELS = "labels/pdf?collection_date=2026-05-02";
const papers = ["requisition/pdf", "abn_pdf", "collection_instruction_pdf", LABELS];

/** Returns a marker of a lab with questions, and an answer to each. */
async function questioned(lab: string): Promise<{ marker: Body; aoe_answers: Body[] }> {
  for (let page = 1; ; page++) {
    const { markers, pages } = (
      await service.call("GET", `/v3/lab_tests/markers?lab_slug=${lab}&size=100&page=${page}`)
    ).body;
    const marker = markers.find(({ aoe, is_orderable }: Body) => is_orderable && aoe?.questions.length > 0);
    if (marker) return { marker, aoe_answers: marker.aoe.questions.map((one: Body) => answerTo(marker.id, one)) };
    if (page >= pages) throw new Error(`no marker of ${lab} asks anything`);
  }
}
const answerTo = (marker_id: number, { id, type, answers, constraint }: Body) => {
  const byType: Record<string, string | undefined> = {
    numeric: "41.5",
    text: constraint ? "2026-05-02" : "Two hours before",
  };
  return { marker_id, question_id: id, answer: byType[type] ?? answers[0].code };
};
/** Returns the printed form of an answer. */
const printed = ({ answers }: Body, answer: string) =>
  answers.find(({ code }: Body) => code === answer)?.value ?? answer;

describe("the requisition of an order", () => {
  test.each(["quest", "labcorp", "sonora_quest", "bioreference"])(
    "of %s contains the patient, every marker, the clinical notes and the answers to its questions [endpoints-known-by-name-21]",
    async (lab) => {
      const { marker, aoe_answers } = await questioned(lab);
      const order = await placeOrder(service, userId, {
        order_set: { add_on: { marker_ids: [marker.id] } },
        collection_method: "walk_in_test",
        clinical_notes: "Please draw from the left arm.",
        icd_codes: ["E11.9"],
        aoe_answers,
        physician,
      });
      const pdf = await paperOf(order.id, "requisition/pdf");
      const text = await textOf(pdf);
      const parts = [
        "Ada Sample",
        "1990-05-17",
        "West Lincoln Street 1Phoenix, AZ 85004",
        "Grace PhysicianNPI 1234567893",
        "E11.9",
        "Clinical notesPlease draw from the left arm.",
        "Account1234567890",
        ...order.lab_test.markers.map(({ name, provider_id }: Body) => `${provider_id}${name}`),
        ...marker.aoe.questions.map(
          (one: Body, index: number) => `${one.value}${printed(one, aoe_answers[index].answer)}`,
        ),
      ];
      for (const part of parts) expect(text).toContain(removeSpaces(part));
      expect(readBarCodes(pdf)).toEqual([requisitionNumber(order.id)]);
    },
  );

  test("contains no clinical notes if the laboratory prints none [endpoints-known-by-name-21]", async () => {
    const { markers } = (await service.call("GET", "/v3/lab_tests/markers?lab_slug=us_biotek")).body;
    const order = await placeOrder(service, userId, {
      order_set: { add_on: { marker_ids: [markers.find(({ is_orderable }: Body) => is_orderable).id] } },
      collection_method: "on_site_collection",
      clinical_notes: "Please draw from the left arm.",
      physician,
    });
    expect(order.clinical_notes).toBe("Please draw from the left arm.");
    const text = await textOf(await paperOf(order.id, "requisition/pdf"));
    expect(text).toContain(removeSpaces("Ada Sample"));
    expect(text).not.toContain(removeSpaces("left arm"));
  });

  test("names the paying insurance, of the user or of the order", async () => {
    const payors = await service.call("GET", "/v3/insurance/search/payor?insurance_name=aetna");
    const [payor] = payors.body;
    const insured = await service.createUser("who is insured");
    const { zip, country: _, ...rest } = patientAddress;
    const address = { ...rest, zip_code: zip };
    await service.call("PATCH", `/v2/user/${insured}/info`, { body: { ...patientDetails, address } });
    const insurance = { payor_code: payor.payor_code, member_id: "MEM-1", relationship: "Self" };
    await post(`/v2/user/${insured}/insurance`, { ...insurance, insured: { ...patientDetails, address } });
    const billing_type = "commercial_insurance";
    const own = await placeOrder(service, insured, { billing_type });
    // A newer insurance does not pay for an older order.
    await post(`/v2/user/${insured}/insurance`, {
      ...insurance,
      member_id: "MEM-2",
      insured: { ...patientDetails, address },
    });
    const given = { payor_code: payor.payor_code, insurance_id: "MEM-3", responsible_relationship: "Self" };
    const brought = await placeOrder(service, insured, { billing_type, health_insurance: given });
    const diagnosed = await placeOrder(service, insured, {
      ...{ billing_type, health_insurance: { diagnosis_codes: ["E11.9"] } },
    });
    const ofPayor = await placeOrder(service, insured, {
      ...{ billing_type, health_insurance: { payor_code: payor.payor_code } },
    });
    for (const [order, member] of [
      [ofPayor, "MEM-2"],
      [own, "MEM-1"],
      [brought, "MEM-3"],
      [diagnosed, "MEM-2"],
    ] as const) {
      const text = await textOf(await paperOf(order.id, "requisition/pdf"));
      expect(text).toContain(removeSpaces(`${payor.name}Payor ${payor.payor_code}`));
      expect(text).toContain(removeSpaces(`${member}`));
      expect(text).toContain(removeSpaces("Ada SamplePatient is: Self"));
    }
  });
});

describe("the labels of an order", () => {
  test("have the requested number and date, and their bar codes encode the requisition number", async () => {
    const order = await placeOrder(service, userId, { order_set: { lab_test_ids: [sandboxLabTests.testkit] } });
    const { sample_id } = await simulateOrder(
      service,
      order.id,
      "?final_status=collecting_sample.testkit.with_customer",
    );
    const pdf = await paperOf(order.id, "labels/pdf?number_of_labels=3&collection_date=2026-05-02T23:30:00-07:00");
    expect(readBarCodes(pdf)).toEqual([sample_id, sample_id, sample_id]);
    expect(await textOf(pdf)).toBe(removeSpaces(`Ada SampleDOB 1990-05-17Coll. 2026-05-02${sample_id}`).repeat(3));
    expect(readBarCodes(await paperOf(order.id, LABELS))).toHaveLength(1);
    for (const wrong of ["labels/pdf", `${LABELS}&number_of_labels=0`, "labels/pdf?collection_date=soon"]) {
      expect((await refusal(order.id, wrong))[0]).toBe(422);
    }
  });
});

describe("every document", () => {
  test("can be read for any simulated order", { tags: "deep" }, async () => {
    for (const method of Object.keys(sandboxLabTests) as (keyof typeof sandboxLabTests)[]) {
      const { id, lab_test } = await placeOrder(service, userId, {
        order_set: { lab_test_ids: [sandboxLabTests[method]] },
      });
      await simulateOrder(service, id);
      for (const path of papers) expect(await textOf(await paperOf(id, path))).toContain("AdaSample");
      const [instructions, notice] = await Promise.all([papers[2], papers[1]].map((path) => paperOf(id, `${path}`)));
      expect(await textOf(instructions!)).toContain(removeSpaces(lab_test.markers[0].name));
      expect(await textOf(notice!)).toContain(
        removeSpaces(`All tests of this order together$${lab_test.price.toFixed(2)}`),
      );
    }
  });

  test("answers with the reason if it does not exist, or does not exist yet", { tags: "deep" }, async () => {
    const day = new Date(service.cloud.clock.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const waiting = await placeOrder(service, userId, { activate_by: day });
    const none = [404, "The order has no requisition yet: it was not submitted to a laboratory."];
    expect(await refusal(waiting.id, "requisition/pdf")).toEqual(none);
    expect(await refusal(waiting.id, LABELS)).toEqual([
      404,
      "The order has no labels yet: it has no requisition or sample ID.",
    ]);
    await post(`/v3/order/${waiting.id}/cancel`);
    expect((await refusal(waiting.id, "abn_pdf"))[1]).toContain("cancelled before");
    const about = { billing_type: "client_bill", collection_method: "walk_in_test", sample_id: "S-77" };
    const { order } = (await post("/v3/order/import", { ...orderRequest(userId), ...about })).body;
    expect((await refusal(order.id, "requisition/pdf"))[1]).toContain("placed elsewhere");
    expect(readBarCodes(await paperOf(order.id, LABELS))).toEqual(["S-77"]);
    const instructions = await textOf(await paperOf(order.id, "collection_instruction_pdf"));
    expect(instructions).not.toContain(requisitionNumber(order.id));
    const shipping_details = {
      ...patientAddress,
      receiver_name: "Ada Sample",
      phone_number: patientDetails.phone_number,
    };
    const kit = await post("/v3/order/testkit", {
      user_id: userId,
      lab_test_id: sandboxLabTests.testkit,
      shipping_details,
    });
    await service.settle();
    for (const path of ["requisition/pdf", LABELS]) {
      expect((await refusal(kit.body.order.id, path))[1]).toContain("it is not registered");
    }
    for (const path of papers) expect((await refusal(randomUUID(), path))[0]).toBe(404);
    const { key } = await service.createTeam("Without papers");
    const other = await service.call("GET", `/v3/order/${order.id}/collection_instruction_pdf`, { key });
    expect(other.status).toBe(404);
  });
});

describe("an order with an unusable sample", () => {
  const PARTIAL = "?final_status=sample_with_lab.walk_in_test.partial_results";
  const REDRAW = "?final_status=collecting_sample.walk_in_test.redraw_available";
  const transactionOf = async (order: Body) =>
    (await service.call("GET", `/v3/order_transaction/${order.order_transaction.id}`)).body;

  test("is redrawn on request: a new order joins its transaction and goes to the laboratory", {
    tags: "deep",
  }, async () => {
    const order = await placeOrder(service, userId, { physician, clinical_notes: "Left arm." });
    expect(await refusedRedraw(order.id)).toBe("An order cannot change from ordered to redraw_available.");
    await simulateOrder(service, order.id, PARTIAL);
    const answers = await Promise.all([1, 2, 3].map(() => post(`/v3/order/${order.id}/redraw`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    const { order: next } = answers.find(({ status }) => status === 200)!.body;
    expect(next).toMatchObject({ origin: "redraw", status: "received", physician, clinical_notes: "Left arm." });
    await service.settle();
    expect(orderStatusLevels(await read(order.id)).at(-1)).toBe("redraw_available");
    expect(await transactionOf(order)).toMatchObject({
      status: "active",
      orders: [
        { id: order.id, origin: "initial", parent_id: null, last_status: "redraw_available" },
        { id: next.id, origin: "redraw", parent_id: order.id, last_status: "ordered" },
      ],
    });
    const created = await service.inbox("labtest.order.created");
    expect(created.filter(({ body }) => body.data.id === next.id)).toHaveLength(1);
    const updated = (await service.inbox("labtest.order.updated")).map(({ body }) => body.data);
    const last = updated.filter(({ id }: Body) => id === order.id).at(-1);
    expect(last.last_event.status).toBe("collecting_sample.walk_in_test.redraw_available");
    expect(await textOf(await paperOf(next.id, "requisition/pdf"))).toContain("Leftarm.");
    await simulateOrder(service, next.id, PARTIAL);
    expect(await refusedRedraw(next.id)).toBe("The order already had a redraw.");
    await simulateOrder(service, next.id);
    expect((await transactionOf(order)).status).toBe("completed");
  });

  test("is redrawn by a simulation, which submits the new order at once", async () => {
    const order = await placeOrder(service, userId);
    expect(orderStatusLevels(await simulateOrder(service, order.id, REDRAW)).at(-1)).toBe("redraw_available");
    const [, next] = (await transactionOf(order)).orders;
    expect(next).toMatchObject({ origin: "redraw", parent_id: order.id });
    expect(readBarCodes(await paperOf(next.id, "requisition/pdf"))).toEqual([requisitionNumber(next.id)]);
    const again = await post(`/v3/order/${next.id}/test${REDRAW}`);
    expect([again.status, orderStatusLevels(await read(next.id))]).toEqual([400, ["ordered"]]);
  });

  test("is not redrawn if the laboratory accepts no second sample, or if the order is imported or unknown", {
    tags: "deep",
  }, async () => {
    const { markers } = (await service.call("GET", "/v3/lab_tests/markers?lab_slug=sonora_quest&size=1")).body;
    const order_set = { add_on: { marker_ids: [markers[0].id] } };
    const order = await placeOrder(service, userId, { order_set, collection_method: "walk_in_test" });
    expect((await post(`/v3/order/${order.id}/test${REDRAW}`)).status).toBe(400);
    await simulateOrder(service, order.id, PARTIAL);
    expect(await refusedRedraw(order.id)).toBe("The laboratory does not accept a second sample.");
    const about = { billing_type: "client_bill", collection_method: "walk_in_test", sample_id: "S-78" };
    const imported = (await post("/v3/order/import", { ...orderRequest(userId), ...about })).body.order;
    await simulateOrder(service, imported.id, PARTIAL);
    expect(await refusedRedraw(imported.id)).toBe("An imported order allows no redraw.");
    expect((await post(`/v3/order/${randomUUID()}/redraw`)).status).toBe(404);
  });

  const refusedRedraw = async (orderId: string) => {
    const { status, body } = await post(`/v3/order/${orderId}/redraw`);
    expect(status).toBe(400);
    return body.detail;
  };
});

describe("the user portal", () => {
  const linkFor = (id: string, body: unknown) => post(`/v2/user/${id}/create_portal_url`, body);
  const textBehind = async (url: string) => {
    const answer = await fetch(url);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const knownUser = async (name: string) => {
    const id = await service.createUser(name);
    const { zip, country: _, ...rest } = patientAddress;
    await service.call("PATCH", `/v2/user/${id}/info`, {
      body: { ...patientDetails, address: { ...rest, zip_code: zip } },
    });
    return id;
  };

  test("shows the orders and results of its user alone, and can load and send nothing", { tags: "deep" }, async () => {
    const owner = await knownUser("who looks");
    const order = await placeOrder(service, owner);
    await simulateOrder(service, order.id, "", { interpretation: "abnormal" });
    const other = await placeOrder(service, userId);
    const { status, body } = await linkFor(owner, { context: "launch", order_id: order.id });
    expect([status, body.expires_in, body.url.endsWith(`#order-${order.id}`)]).toEqual([200, 900, true]);
    const page = await textBehind(body.url);
    expect(page.status).toBe(200);
    for (const phrase of [order.lab_test.name, "The result is available", "outside their ranges", "sandbox"]) {
      expect(page.text).toContain(phrase);
    }
    expect(page.text).not.toContain(other.id);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[^;]+'; base/);
    expect(page.text).not.toMatch(/<script|<form|href=|src=/);
    expect((await linkFor(owner, { context: "launch", order_id: other.id })).status).toBe(404);
  });

  test("names neither tests nor results if the link is for messages", { tags: "deep" }, async () => {
    const owner = await knownUser("who is written to");
    const order = await placeOrder(service, owner);
    await simulateOrder(service, order.id, "", { interpretation: "critical" });
    const { body } = await linkFor(owner, { context: "communications" });
    expect(body.expires_in).toBe(14 * 86_400);
    const { text } = await textBehind(body.url);
    expect(text).toContain("The result is available");
    for (const untold of [order.lab_test.name, "attention", "Ada"]) expect(text).not.toContain(untold);
  });

  test("is unavailable after its link expires or is altered, or its user is deleted", { tags: "deep" }, async () => {
    const owner = await knownUser("who goes");
    const launch = (await linkFor(owner, { context: "launch" })).body.url;
    const message = (await linkFor(owner, { context: "communications" })).body.url;
    const otherUser = await knownUser("another user");
    for (const altered of [launch.replace(/token=./, "token="), launch.replace(owner, otherUser)]) {
      expect((await textBehind(altered)).status).toBe(404);
    }
    await service.advance(901_000);
    expect([(await textBehind(launch)).status, (await textBehind(message)).status]).toEqual([404, 200]);
    await service.call("DELETE", `/v2/user/${owner}`);
    expect((await textBehind(message)).status).toBe(404);
    await service.advance(8 * 86_400_000);
    expect((await findItemsContaining(service, owner)).filter((item) => item.includes("user_portal#"))).toEqual([]);
  });

  test("needs the info of the user", async () => {
    expect((await linkFor(userId, { context: "launch" })).status).toBe(422);
    expect((await linkFor(randomUUID(), { context: "launch" })).status).toBe(404);
    expect((await linkFor(userId, { context: "any" })).status).toBe(422);
  });
});

describe("a team", () => {
  test("finds itself, its physicians and its users, and none of another team", async () => {
    const { teamId, key } = await service.createTeam("The others");
    const { team_id } = service.identity;
    await placeOrder(service, userId, { physician: { ...physician, last_name: "Renamed" } });
    const physicians = (of: string, with_ = {}) => service.call("GET", `/v2/team/${of}/physicians`, with_);
    expect((await physicians(team_id)).body).toEqual([{ ...physician, last_name: "Renamed" }]);
    expect([(await physicians(teamId)).status, (await physicians(teamId, { key })).body]).toEqual([404, []]);
    expect((await service.call("GET", `/v2/team/${teamId}`)).status).toBe(404);
    expect(JSON.stringify((await service.call("GET", `/v2/team/${team_id}`)).body)).not.toContain("sk_");
    const found = async (query_id: string, with_ = {}) =>
      (await service.call("GET", `/v2/team/users/search?${new URLSearchParams({ query_id })}`, with_)).body.length;
    const counts = [found("who has papers"), found(userId), found(userId, { key }), found("who has"), found("")];
    expect(await Promise.all(counts)).toEqual([1, 1, 0, 0, 0]);
  });

  test("has statistics: users, connections by week, orders", { tags: "deep" }, async () => {
    const { key } = await service.createTeam("The counted");
    const metrics = async () => (await service.call("GET", "/v2/user/metrics", { key })).body;
    expect(await metrics()).toMatchObject({ number_of_users: 0, number_of_connected_sources_by_week: [] });
    const user_id = await service.createUser("counted", key);
    await service.call("POST", "/v2/link/connect/demo", { key, body: { user_id, provider: "oura" } });
    await service.call("POST", "/v3/order", { key, body: orderRequest(user_id) });
    expect(await metrics()).toMatchObject({
      number_of_users: 1,
      number_of_connected_sources: 1,
      number_of_errored_connected_sources: 0,
      number_of_connected_sources_by_week: [{ value: 1, all: 1, date: expect.stringMatching(/T00:00:00.000Z$/) }],
      number_of_ordered_tests: 1,
    });
    await service.call("DELETE", `/v2/user/${user_id}`, { key });
    expect(await metrics()).toMatchObject({ number_of_users: 0, number_of_ordered_tests: 0 });
  });
});
