import { afterAll, beforeAll, expect, test } from "vitest";
import { derivePushKey } from "../../../lib/connectors/push-key.ts";
import { PushReceiver } from "../simulators/providers/simulated-providers.ts";
import { capturePushes } from "./captured-pushes.ts";
import { compareWithExpected, connectProvider, oauthApp, type StoredRecords } from "./connected-provider.ts";

const DATE = "2026-05-18";

let world: Awaited<ReturnType<typeof connectProvider>>;
let accountId: string;
let receiver: PushReceiver;
beforeAll(async () => {
  world = await connectProvider("oura");
  accountId = await world.connect();
  receiver = await PushReceiver.start();
  receiver.answer = ({ method, url, headers, body }) => {
    const request = { method: method === "GET" ? "GET" : "POST", headers, query: url.searchParams, body } as const;
    const answer = world.connector.push?.answerChallenge?.(request, oauthApp);
    return answer ? { status: answer.status, body: JSON.stringify(answer.body) } : { status: 404 };
  };
});
afterAll(() => receiver.stop());

const subscribe = (data_type: string, event_type: string, verification_token = derivePushKey(oauthApp, "oura")) =>
  world.ask("POST", "api.ouraring.com/v2/webhook/subscription", {
    headers: { "x-client-id": oauthApp.clientId, "x-client-secret": oauthApp.clientSecret },
    json: { callback_url: receiver.origin, verification_token, event_type, data_type },
  });

/** The stored records of the pushed day, compared with the expected records. */
const ofDay = (kept: StoredRecords, name: string) => {
  const right = world.provider.expectedRecords("ada", Date.parse(`${DATE}T11:00Z`), Date.parse(`${DATE}T12:00Z`));
  return compareWithExpected(kept.summaries(name), right[name], "calendar_date");
};

test("Oura's challenge is answered only for a request with the verification token", async () => {
  expect((await subscribe("sleep", "create", "another")).status).toBe(400);
  expect((await subscribe("sleep", "create")).status).toBe(201);
});

test.each([
  ["sleep", "sleep", "sleep"],
  ["daily_readiness", "sleep", "daily_readiness"],
  ["daily_activity", "activity", "daily_activity"],
])(
  "Oura's push of %s names a document, and the connector pulls the current data of its day",
  async (kind, resource, collection) => {
    await subscribe(kind, "update");
    world.provider.setSwitches({ revision: 1 });
    const [pushed] = await capturePushes(world, { kind, date: DATE, change: "update" });
    const [parsed] = pushed?.parsed ?? [];
    const id = expect.stringMatching(`^${collection}/[0-9a-f-]{36}$`);
    expect(pushed).toMatchObject({ isProven: true, parsed: [{ accountId, changed: { resource, id } }] });
    const changed = parsed?.changed;
    if (!changed || !("id" in changed)) throw new Error("nothing is named");
    const { found, right } = ofDay(await world.pullOne(resource, changed.id), resource);
    expect(right).toHaveLength(1);
    expect(found).toEqual(right);
    world.provider.setSwitches({ revision: 0 });
  },
);

test("Oura's push is rejected when altered or signed with another secret, and a deletion changes nothing", async () => {
  await subscribe("workout", "delete");
  const date = String(
    world.provider.expectedRecords("ada", Date.parse("2026-05-01"), Date.parse(DATE)).workouts?.[0]?.time_start,
  );
  const [pushed] = await capturePushes(world, { kind: "workout", date: date.slice(0, 10), change: "delete" });
  expect(pushed).toMatchObject({ isProven: true, parsed: [] });
  const { push } = world.connector;
  const { request } = pushed!;
  expect(push?.verify({ ...request, body: request.body.replace("delete", "update") }, oauthApp, 0)).toBe(false);
  expect(push?.verify(request, { ...oauthApp, clientSecret: "another" }, 0)).toBe(false);
  expect(push?.verify({ ...request, headers: {} }, oauthApp, 0)).toBe(false);
});
