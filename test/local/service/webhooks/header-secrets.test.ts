import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { DeliveryRecords } from "./delivery-records.ts";
import { createTeamWithReceiver, Receiver } from "./webhook-receiver.ts";

const TOKEN = "Bearer deep-secret-9";

let service: TestService;
let records: DeliveryRecords;
beforeAll(async () => {
  service = await TestService.start();
  records = new DeliveryRecords(service);
});
afterAll(() => {
  records.stop();
  return service.stop();
});

/** Creates an endpoint with a secret header, at a receiver that echoes the headers of the request. */
async function withToken() {
  const seen: string[] = [];
  const receiver: Receiver = await Receiver.start(service, () => {
    const { authorization = "" } = receiver.received.at(-1)?.headers ?? {};
    seen.push(authorization);
    const padding = "x".repeat(1_010);
    return { status: 200, text: JSON.stringify({ authorization, token: authorization.slice(7) }) + padding + TOKEN };
  });
  const key = await createTeamWithReceiver(service, receiver);
  const userId = await service.createUser("the user", key);
  const { team_id, endpoint_id } = await records.endpoint(userId, key);
  const base = `/v1/org/${service.identity.org_id}/team/${team_id}/sandbox/webhook/${endpoint_id}`;
  const ask = (method: string, path = "", body?: unknown) =>
    service.manage(method, `${base}${path}`, body === undefined ? {} : { body });
  await ask("PUT", "/headers", { headers: { Authorization: TOKEN } });
  const tryOut = async () => {
    const { body } = await ask("POST", "/test", { event_type: "daily.data.sleep.created" });
    await service.settle();
    return (await ask("GET", `/message/${body.event_id}/attempt`)).body;
  };
  return { receiver, seen, ask, tryOut };
}

test("a change to another origin removes the headers of an endpoint", async () => {
  const { receiver, seen, ask, tryOut } = await withToken();
  const elsewhere = await Receiver.start(service);
  await ask("PATCH", "", { url: `${receiver.url}/other` });
  await tryOut();
  expect(seen).toEqual([TOKEN]);
  await ask("PATCH", "", { url: elsewhere.url });
  await tryOut();
  expect(elsewhere.received).toHaveLength(1);
  expect(elsewhere.received[0]?.headers).not.toHaveProperty("authorization");
  await ask("PATCH", "", { url: receiver.url });
  await tryOut();
  expect(seen).toEqual([TOKEN, ""]);
  expect((await ask("GET", "/headers")).body).toEqual({ headers: {}, sensitive: [] });
  await Promise.all([receiver.stop(), elsewhere.stop()]);
});

test("headers that are set during a change of the URL are never sent to the new receiver", {
  tags: "deep",
}, async () => {
  const { receiver, ask, tryOut } = await withToken();
  const elsewhere = await Receiver.start(service);
  for (let round = 0; round < 10; round++) {
    await ask("PATCH", "", { url: receiver.url });
    const [put] = await Promise.all([
      ask("PUT", "/headers", { headers: { Authorization: TOKEN } }),
      ask("PATCH", "", { url: elsewhere.url }),
    ]);
    expect([204, 409]).toContain(put.status);
    if ((await ask("GET")).body.url !== elsewhere.url) continue;
    // The later request decides: headers that are set after the change are meant for the new receiver.
    const { headers } = (await ask("GET", "/headers")).body;
    if (put.status === 409) expect(headers).toEqual({});
  }
  await tryOut();
  await Promise.all([receiver.stop(), elsewhere.stop()]);
});

test("a secret that a receiver echoes is masked in the stored response", async () => {
  const { receiver, seen, tryOut } = await withToken();
  const kept = JSON.stringify(await tryOut());
  expect(seen).toEqual([TOKEN]);
  expect(kept).toContain("********");
  expect(kept).not.toContain("deep-secret-9");
  expect(kept).not.toContain("deep-");
  await receiver.stop();
});
