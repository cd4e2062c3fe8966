import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, TestService } from "../../../../support/service.ts";
import { findFunctionName } from "../../support/stored-items.ts";

/** What `POST /_local/settle` waits for, beyond messages that are visible. */

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const settle = async (): Promise<Answer["body"]> => (await service.call("POST", "/_local/settle")).body;

/** Types of the events of a user, of which none is awaited. */
async function historiesOf(userId: string): Promise<string[]> {
  const { body } = await service.call("GET", "/_local/inbox");
  return body.deliveries
    .map((delivery: Answer) => delivery.body)
    .filter(({ user_id, event_type }: Answer["body"]) => user_id === userId && event_type.startsWith("historical."))
    .map(({ event_type }: Answer["body"]) => event_type)
    .toSorted();
}

test.each(["apple_health_kit", "oura"])(
  "a history of %s is announced once the service has settled",
  async (provider) => {
    const userId = await service.createUser(`history of ${provider}`);
    const made = await service.call("POST", "/v2/link/connect/demo", { body: { user_id: userId, provider } });
    expect(made.status).toBe(200);
    expect(await settle()).toMatchObject({ idle: true });
    const announced = await historiesOf(userId);
    await service.advance(60_000);
    expect(announced.length).toBeGreaterThan(5);
    expect(await historiesOf(userId)).toEqual(announced);
  },
);

test("a history whose batch waits for its retry delays no settling, and is announced after the retry", async () => {
  const userId = await service.createUser("failing history");
  const { sign_in_token } = (await service.call("POST", `/v2/user/${userId}/sign_in_token`)).body;
  const session = await service.call("POST", "/v2/sdk/session", { key: null, body: { sign_in_token } });
  const storing = { service: "dynamodb", function: findFunctionName(service, "storeBatch"), mode: "fail_before" };
  await service.call("POST", "/_local/faults", { body: storing });
  const heartrate = [{ timestamp: "2026-05-01T08:00:00Z", value: 60 }];
  const about = { provider: "apple_health_kit", source_type: "phone", stage: "historical", sync_id: "first", part: 0 };
  await service.call("POST", "/v2/sdk/sync", {
    key: null,
    headers: { authorization: `Bearer ${session.body.access_token}` },
    body: { ...about, done: true, resources: { heartrate } },
  });
  const startedAt = performance.now();
  expect(await settle()).toMatchObject({ idle: true });
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  await service.call("DELETE", "/_local/faults");
  expect(await historiesOf(userId)).toEqual([]);
  await service.advance(900_000);
  expect(await historiesOf(userId)).toEqual(["historical.data.heartrate.created"]);
});
