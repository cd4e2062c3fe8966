import { expect, test } from "vitest";
import { omron } from "../../../lib/connectors/omron/omron.ts";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { derivePushKey } from "../../../lib/connectors/push-key.ts";
import { PushReceiver } from "../simulators/providers/simulated-providers.ts";
import { oauthApp } from "./connected-provider.ts";
import { createConnection, expectedBetween, expectRecords, windowBetween } from "./simulated-connection.ts";

const [FROM, TO] = ["2026-04-20", "2026-05-19"];
const month = windowBetween(FROM, TO);

test("Omron provides blood pressure and pulse of 30 days for the subject of the ID token", async () => {
  const { provider, pull, accountId } = await createConnection(omron);
  expect(accountId).toMatch(/^[0-9a-f-]{36}$/);
  provider.setSwitches({ duplicates: true });
  const truth = expectedBetween(provider, FROM, TO);
  const found = await pull(month, "blood_pressure");
  expectRecords(found.blood_pressure, truth.blood_pressure, "timestamp");
  expectRecords(found.heartrate, truth.heartrate, "timestamp");
});

test("a truncated list continues with its last reading, also within one second", async () => {
  const { client } = await createConnection(omron);
  const dateTime = "2026-05-10T15:12:30Z";
  const asked: string[] = [];
  const page = { result: { truncated: true, bloodPressure: [{ dateTime, systolic: 120, diastolic: 80 }] } };
  Object.assign(client, {
    post: async (_: string, __: unknown, form: Record<string, string>) => {
      asked.push(String(form.since));
      return asked.length < 3 ? page : { result: { truncated: false, bloodPressure: [] } };
    },
  });
  const [startMs, endMs] = [Date.parse("2026-05-10"), Date.parse("2026-05-12")];
  const batches = await Array.fromAsync(omron.pull("blood_pressure", { startMs, endMs }, client));
  expect(asked).toEqual(["2026-05-10T00:00:00Z", dateTime, "2026-05-10T15:12:31Z"]);
  expect(batches).toHaveLength(2);
});

test("access is renewed with the redirect URI; limits delay requests; nobody renews ended access", async () => {
  const { provider, server, pull, clock, refreshes } = await createConnection(omron);
  provider.tokens.expireAccessTokens();
  await pull(month, "blood_pressure");
  expect(refreshes()).toBe(1);
  const renewal = server.requests.find(({ body }) => body.includes("grant_type=refresh_token"));
  expect(new URLSearchParams(renewal?.body).has("redirect_uri")).toBe(true);
  provider.setSwitches({ rate_limited: 1 });
  const refused = await pull(month, "blood_pressure").catch((error) => error);
  expect(refused).toBeInstanceOf(RateLimited);
  expect(refused.retryAtMs).toBeGreaterThan(clock.now());
  provider.tokens.revoke("ada");
  await expect(pull(month, "blood_pressure")).rejects.toThrow(AccessEnded);
});

test("a push is a form at an address with the key, and names the window of an upload", async () => {
  const { provider, accountId, pull } = await createConnection(omron);
  const receiver = await PushReceiver.start();
  provider.setWebhook({ url: receiver.origin });
  await provider.notify({ account: "ada", kind: "upload", date: TO, change: "create" });
  await receiver.stop();
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  const push = { method: "POST" as const, headers, body, query: new URLSearchParams() };
  const query = new URLSearchParams({ key: derivePushKey(oauthApp, "omron") });
  expect(omron.push?.verify({ ...push, query }, oauthApp, 0)).toBe(true);
  expect(omron.push?.verify(push, oauthApp, 0)).toBe(false);
  const [one] = omron.push?.parse(push) ?? [];
  expect(one).toMatchObject({ accountId, changed: { resource: "blood_pressure" } });
  const window = one?.changed && "window" in one.changed ? one.changed.window : month;
  const found = await pull(window, "blood_pressure");
  expectRecords(found.blood_pressure, expectedBetween(provider, TO, TO).blood_pressure, "timestamp");
  expect(() => omron.push?.parse({ ...push, body: "id=1&timestamp=soon" })).toThrow(SyntaxError);
});
