// @module-tag deep
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { itemInventory } from "../../../../../lib/contract/erasure/item-inventory.ts";
import type { EntityResource } from "../../../../../lib/contract/resource-kinds.ts";
import * as resources from "../../../../../lib/contract/resources.ts";
import { type Answer, TestService } from "../../../../support/service.ts";
import { callWithLinkToken, createLinkToken, setPullDays } from "../../connections/link-helpers.ts";
import { settleWithRetries } from "../../erasure/drill-users.ts";
import { sendBatch } from "../../ingest/ingest-batch.ts";
import { orderRequest, patientDetails } from "../../orders/order-helpers.ts";
import { findFunctionName } from "../../support/stored-items.ts";
import { Receiver } from "../../webhooks/webhook-receiver.ts";
import { callEveryTool } from "./call-every-tool.ts";
import { type CanaryUser, createCanaryUser, createPayor } from "./canary-user.ts";
import { encodingsOf, findLeaks, listItemSinks, type Sink, SinkWatch } from "./data-sinks.ts";

const HOUR_MS = 3_600_000;
/** Secrets that clients send; the service stores them sealed or hashed. */
const secrets = ["client", "header", "signing", "password", "access", "refresh"].map(
  (name) => `qzxvsecret${name}valueofasecret`,
);
/** A text in every refused request, which no field accepts. */
const REFUSED = "qzxvrefusedinputvalue";

let service: TestService;
let user: CanaryUser;
let receiver: Receiver;
let sinks: Sink[];
const refusals: Answer[] = [];
let stored: (Sink & { key: string })[];

beforeAll(async () => {
  service = await TestService.start();
  const watch = new SinkWatch(service);
  let count = 0;
  receiver = await Receiver.start(service, () => (count++ % 2 === 0 ? 500 : "reset"));
  await setPullDays(service, 0);
  const endpoint = await giveSecrets();
  const having = { payor_code: await createPayor(service), order: true, report: true, connection: "oura" };
  user = await createCanaryUser(service, "marked", having);
  await settleWithRetries(service);
  await refuse();
  await fail();
  stored = await Array.fromAsync(listItemSinks(service));
  // A failing endpoint would be probed for days, which adds no new sink.
  expect((await service.manage("DELETE", endpoint)).status).toBeLessThan(300);
  await service.call("DELETE", `/v2/user/${user.user_id}`);
  await service.advance(8 * 24 * HOUR_MS);
  sinks = await watch.stop();
}, 240_000);
afterAll(async () => {
  await receiver.stop();
  await service.stop();
});

/** Sends a secret in every field that accepts one. @returns the path of a webhook endpoint. */
async function giveSecrets(): Promise<string> {
  const [client, header, signing, password, access_token, refresh_token] = secrets as [string, ...string[]];
  const { org_id, team_id } = service.identity;
  const manage = async (method: string, path: string, body: object) => {
    const { status, body: answer } = await service.manage(method, `/v1/org/${org_id}${path}`, { body });
    expect([path, status < 300]).toEqual([path, true]);
    return answer;
  };
  const app = { team_id, provider: "whoop", client_id: "id", client_secret: client };
  await manage("POST", "/team_custom_credentials/sandbox/us", app);
  const secret = `whsec_${Buffer.from(signing ?? "").toString("base64")}`;
  const endpoint = `/team/${team_id}/sandbox/webhook`;
  const { id } = await manage("POST", endpoint, { url: receiver.url, secret });
  await manage("PUT", `${endpoint}/${id}/headers`, { headers: { "x-token": header } });
  const userId = await service.createUser("with secrets");
  const { link_token } = await createLinkToken(service, userId);
  await callWithLinkToken(service, "POST", "/v2/link/provider/password/renpho", link_token, {
    username: "ada",
    password,
  });
  const recipe = { user_id: userId, access_token, refresh_token, provider_id: "p", expires_at: 4_000_000_000 };
  const body = { provider: "oura", connections: [{ ...recipe, oauth_scopes: ["daily"] }], wait_for_completion: true };
  const { status } = await service.call("POST", "/v2/link/bulk_import", { body });
  expect(status).toBeLessThan(300);
  return `/v1/org/${org_id}${endpoint}/${id}`;
}

/** Sends requests whose content is refused. */
async function refuse(): Promise<void> {
  const { user_id } = user;
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await service.call(method, path, body === undefined ? {} : { body });
    expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true]);
    refusals.push(answer);
  };
  await ask("PATCH", `/v2/user/${user_id}/info`, { email: REFUSED, dob: REFUSED, gender: REFUSED, [REFUSED]: REFUSED });
  await ask("POST", `/v2/user/${user_id}/insurance`, { payor_code: REFUSED, member_id: "m", relationship: REFUSED });
  await ask(
    "POST",
    "/v3/order",
    orderRequest(user_id, { patient_details: { ...patientDetails, dob: REFUSED, email: REFUSED } }),
  );
  await ask("GET", `/v2/timeseries/${user_id}/heartrate/grouped?start_date=${REFUSED}&provider=${REFUSED}`);
  await ask("GET", `/v2/user/resolve/${REFUSED}`);
  await ask("GET", `/v2/user/${REFUSED}`);
  await ask("GET", `/${REFUSED}`);
  await ask("POST", "/v2/user", `{"client_user_id": "${REFUSED}`);
  await ask("POST", "/v2/link/provider/password/renpho", { username: REFUSED, password: REFUSED });
  const { status, body } = await sendBatch(service, user_id, { heartrate: [{ timestamp: REFUSED, value: REFUSED }] });
  expect(status).toBeGreaterThanOrEqual(400);
  refusals.push({ status, body, headers: new Headers() });
  refusals.push(...(await callEveryTool(service, user_id, REFUSED)));
}

/** Causes failures: a batch that cannot be stored, an interrupted export, an invalid message. */
async function fail(): Promise<void> {
  const { user_id } = user;
  const failing = (operation: string, at: "dynamodb" | "s3") =>
    service.cloud.faults.add({ function: findFunctionName(service, operation), service: at, mode: "fail_before" });
  failing("runExport", "s3");
  await service.call("POST", `/v2/user/${user_id}/export`);
  await service.settle();
  failing("getLatestUserInfo", "dynamodb");
  refusals.push(await service.call("GET", `/v2/user/${user_id}/info/latest`));
  service.cloud.faults.clear();
  await service.call("POST", `/v2/user/${user_id}/export`);
  const ingestion = service.cloud.queues.queues().find(({ name }) => /QueueingestionQueue/.test(name));
  service.cloud.queues.send(ingestion?.url ?? "", { body: JSON.stringify({ note: [...user.canaries].join() }) });
  await service.settle();
  // Webhook attempts are retried, and fail again.
  await service.advance(HOUR_MS);
}

const wanted = (all: Iterable<string>) => new Map([...all].map((one) => [one, encodingsOf(one)]));

const isEntity = (one: unknown): one is EntityResource => (one as { kind?: string })?.kind === "entity";
/** Returns the data store of an item by its table and the longest matching key prefix. */
function holdingOf({ name, key }: { name: string; key: string }) {
  const declared = Object.values(resources as Record<string, unknown>).filter(isEntity);
  const matching = declared.filter(
    ({ table, keyPrefix }) => name === `table ${table.name}` && key.startsWith(keyPrefix),
  );
  const [entity] = matching.toSorted((one, other) => other.keyPrefix.length - one.keyPrefix.length);
  return itemInventory[entity?.store ?? ""];
}

describe("the search", () => {
  test("finds every canary where it is stored, so it would find it elsewhere", () => {
    const found = new Set(
      stored.flatMap((sink) => findLeaks(sink, wanted(user.canaries))).map((hit) => hit.split(": ")[1]),
    );
    const missing = [...user.canaries].filter((mark) => !found.has(mark));
    // A redirect URL is stored under the hash of a token, and a row of a report in its file and job.
    expect(user.canaries.size).toBeGreaterThan(18);
    expect(missing).toEqual([]);
  });

  test.each([
    ["unchanged", (text: string) => text],
    ["in upper case", (text: string) => text.toUpperCase()],
    ["in JSON with escapes", (text: string) => encodingsOf(text)[2] as string],
    ["in a URL", (text: string) => `?a=${encodeURIComponent(text)}`],
    ["in base64", (text: string) => Buffer.from(`{"a":"${text}"}`).toString("base64")],
    ["in base64 one byte later", (text: string) => Buffer.from(`{"ab":"${text}"}`).toString("base64url")],
    ["in base64 two bytes later", (text: string) => Buffer.from(`{"abc":"${text}"}`).toString("base64")],
    ["in hexadecimal", (text: string) => Buffer.from(text).toString("hex")],
  ])("finds a canary in a sink %s", (_, written) => {
    for (const canary of [...user.canaries, ...secrets]) {
      const planted = { name: "log", text: `a line before\n{"message":"${written(canary)}"}\n` };
      expect(findLeaks(planted, wanted([canary]))).toEqual([`log: ${canary}`]);
    }
  });

  test("covers every sink", () => {
    const names = new Set(sinks.map(({ name }) => name.split(" ")[0]));
    expect([...names].toSorted()).toEqual(["assembly", "events", "log", "queue", "sqs", "states"]);
    expect(sinks.find(({ name }) => name === "log")?.text).toContain("webhook attempted");
    expect(receiver.received.length).toBeGreaterThan(2);
  });
});

describe("data of a user and secrets", () => {
  test("are absent from logs, from queues and dead letters of ids, from events, from the state machine's history and from the assembly", () => {
    const all = wanted([
      ...user.canaries,
      ...secrets,
      REFUSED,
      service.identity.api_key,
      service.identity.management_key,
    ]);
    expect([...new Set(sinks.flatMap((sink) => findLeaks(sink, all)))]).toEqual([]);
  });

  test("are absent from the response to a refused or failed request", () => {
    const all = wanted([...user.canaries, ...secrets, REFUSED]);
    const answers = refusals.map(({ status, body }) => ({ name: `answer ${status}`, text: JSON.stringify(body) }));
    expect(answers.length).toBeGreaterThan(10);
    expect(answers.flatMap((answer) => findLeaks(answer, all))).toEqual([]);
  });

  test("are absent from every item that is not declared to contain them", () => {
    const places = stored.filter((sink) => findLeaks(sink, wanted(user.canaries)).length > 0);
    const undeclared = places.filter((place) => (holdingOf(place)?.disposal.kind ?? "nothing") === "nothing");
    expect(undeclared.map(({ name, key }) => `${name} ${key}`)).toEqual([]);
  });

  test("are absent from the access log and the audit log, which identify users by digests", () => {
    const logs = stored.filter(({ name }) => name === "table audit");
    expect(logs.length).toBeGreaterThan(20);
    const all = wanted([user.user_id, ...user.canaries, ...secrets, REFUSED]);
    expect(logs.flatMap((sink) => findLeaks(sink, all))).toEqual([]);
  });
});

test("secrets are stored in tables only sealed", () => {
  const all = wanted([...secrets, service.identity.api_key, service.identity.management_key]);
  expect(stored.flatMap((sink) => findLeaks(sink, all))).toEqual([]);
});
