import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_LAB_ACCOUNTS_PER_ORG } from "../../../../lib/domain/lab-tests/lab-account-draft.ts";
import { runAdmin } from "../../../support/run-admin.ts";
import { TestService } from "../../../support/service.ts";
import { orderRequest, orderStatusLevels } from "../orders/order-helpers.ts";
import { RECEIVER_SECRET, Receiver } from "../webhooks/webhook-receiver.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Creates an organisation as the operator does, without seed data. */
async function newOrganisation() {
  const { text } = await runAdmin(service, ["create-org", "--name", "From nothing"]);
  const { org_id, management_key } = JSON.parse(text);
  const manage = (method: string, path: string, body?: object) =>
    service.manage(method, `/v1/org/${org_id}${path}`, { key: management_key, ...(body ? { body } : {}) });
  const made = async (path: string, body: object) => {
    const answer = await manage("POST", path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return { org_id, manage, made };
}

test("the documented steps lead from an empty deployment to the result of an order", { tags: "deep" }, async () => {
  const { made } = await newOrganisation();
  const { id: team_id } = await made("/team", { name: "Care", region: "us", features: [] });
  const { value: key } = await made("/team_api_keys/sandbox/us", { label: "care", team_id });
  const receiver = await Receiver.start(service);
  await made(`/team/${team_id}/sandbox/webhook`, { url: receiver.url, secret: RECEIVER_SECRET });
  const account = { lab: "labcorp", provider_account_id: "A-17", team_id_allowlist: [team_id] };
  const { lab_account } = await made("/lab_account/sandbox/us", { ...account, default_clinical_notes: "Call us." });
  expect(lab_account).toMatchObject({
    ...account,
    status: "active",
    allowed_billing: { client_bill: expect.any(Array) },
  });

  expect(lab_account.allowed_billing.client_bill).toHaveLength(50);
  expect(lab_account.allowed_billing.client_bill).not.toContain("DC");

  const call = (method: string, path: string, body?: object) =>
    service.call(method, path, { key, ...(body ? { body } : {}) });
  expect((await call("GET", "/v3/lab_test/lab_account?status=active")).body.data).toContainEqual(lab_account);
  const { user_id } = (await call("POST", "/v2/user", { client_user_id: "first" })).body;
  const { markers } = (await call("GET", "/v3/lab_tests/markers?lab_slug=labcorp&size=1")).body;
  const order_set = { add_on: { marker_ids: [markers[0].id] }, lab_account_id: lab_account.id };
  const ordered = await call(
    "POST",
    "/v3/order",
    orderRequest(user_id, { order_set, collection_method: "walk_in_test" }),
  );
  expect([ordered.status, ordered.body.order?.clinical_notes]).toEqual([200, "Call us."]);
  const { id } = ordered.body.order;
  await service.settle();
  expect((await call("POST", `/v3/order/${id}/test`)).status).toBe(200);
  await service.settle();
  expect(orderStatusLevels((await call("GET", `/v3/order/${id}`)).body).at(-1)).toBe("completed");
  expect((await call("GET", `/v3/order/${id}/result`)).body.results).toHaveLength(1);
  expect(receiver.received.map(({ body }) => body.event_type)).toContain("labtest.order.updated");
  await receiver.stop();
});

describe("a lab account", () => {
  const path = "/lab_account/sandbox/us";
  const account = { lab: "quest", provider_account_id: "1" };

  test("is identified by its number at its laboratory, also when it is created repeatedly and concurrently", {
    tags: "deep",
  }, async () => {
    const { manage, made } = await newOrganisation();
    const answers = await Promise.all(Array.from({ length: 10 }, () => manage("POST", path, account)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
    await made(path, { ...account, lab: "labcorp" });
    await made(path, { ...account, provider_account_id: "2" });
    expect((await manage("GET", path)).body.data).toHaveLength(3);
    const { made: madeByOther } = await newOrganisation();
    await madeByOther(path, account);
  });

  test("changes only in its mutable fields", async () => {
    const { manage, made } = await newOrganisation();
    const { id: team_id } = await made("/team", { name: "Care", region: "us" });
    const { lab_account } = await made(path, { ...account, account_name: "Main", business_units: ["East"] });
    const change = (body: object) => manage("PATCH", `${path}/${lab_account.id}`, body);
    for (const changes of [
      { status: "suspended" },
      { account_name: null },
      { default_clinical_notes: "Fasting" },
      { business_units: null, allowed_billing: { patient_bill: ["AZ"], client_bill: [] } },
      { team_id_allowlist: [team_id] },
      { status: "active", default_clinical_notes: null },
    ]) {
      const before = (await manage("GET", `${path}/${lab_account.id}`)).body.lab_account;
      const { status, body } = await change(changes);
      expect([status, body.lab_account]).toEqual([200, { ...before, ...changes }]);
    }
  });

  test.each([
    ["an empty change", {}],
    ["null in a required field", { team_id_allowlist: null, status: null }],
    ["an unknown status", { status: "open" }],
    ["an unknown billing type", { allowed_billing: { barter: ["AZ"] } }],
    ["an unknown state", { allowed_billing: { client_bill: ["ZZ"] } }],
  ])("is not changed by %s", { tags: "deep" }, async (_, body) => {
    const { manage, made } = await newOrganisation();
    const { lab_account } = await made(path, account);
    expect((await manage("PATCH", `${path}/${lab_account.id}`, body)).status).toBe(422);
    expect((await manage("GET", `${path}/${lab_account.id}`)).body).toEqual({ lab_account });
  });

  test.each([
    ["an unknown laboratory", { ...account, lab: "nowhere" }, 422],
    ["no number", { lab: "quest" }, 422],
    ["a number that would break a message", { ...account, provider_account_id: "1|2" }, 422],
    ["an unknown team", { ...account, team_id_allowlist: [randomUUID()] }, 404],
  ])("is not created with %s", { tags: "deep" }, async (_, body, status) => {
    const { manage } = await newOrganisation();
    expect((await manage("POST", path, body)).status).toBe(status);
    expect((await manage("GET", path)).body.data).toEqual([]);
  });

  test("is limited to a hundred per organization", { tags: "deep" }, async () => {
    const { manage } = await newOrganisation();
    const create = (number: number) => manage("POST", path, { ...account, provider_account_id: `${number}` });
    for (let done = 0; done < MAX_LAB_ACCOUNTS_PER_ORG - 5; done += 5) {
      await Promise.all([1, 2, 3, 4, 5].map((index) => create(done + index)));
    }
    const last = await Promise.all(Array.from({ length: 10 }, (_, index) => create(1_000 + index)));
    expect(last.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(201), ...Array(5).fill(403)]);
    expect((await manage("GET", path)).body.data).toHaveLength(MAX_LAB_ACCOUNTS_PER_ORG);
  });

  test("gets the status that the operator sets", { tags: "deep" }, async () => {
    const { org_id, manage, made } = await newOrganisation();
    const { lab_account } = await made(path, { ...account, status: "pending" });
    const words = (id: string, status: string) => [
      ...["set-lab-account", "--org", org_id, "--account", id],
      ...["--status", status],
    ];
    const { code, text } = await runAdmin(service, words(lab_account.id, "active"));
    const { allowed_billing: states, ...shown } = lab_account;
    const { allowed_billing: places, ...rest } = JSON.parse(text);
    expect([code, rest]).toEqual([0, { ...shown, status: "active" }]);
    expect(places.client_bill, "the operator sees the other places too").toEqual(
      expect.arrayContaining([...states.client_bill, "DC"]),
    );
    expect((await manage("GET", `${path}/${lab_account.id}`)).body.lab_account.status).toBe("active");
    expect(await runAdmin(service, words(randomUUID(), "active"))).toEqual({
      code: 1,
      text: "Not done: the organization has no such lab account\n",
    });
    expect((await runAdmin(service, words(lab_account.id, "open"))).text).toContain("--status must be one of active");
  });
});
