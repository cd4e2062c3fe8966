import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { createTeamWithReceiver, Receiver } from "../webhooks/webhook-receiver.ts";
import { callInConsole, openConsole } from "./console-helpers.ts";

const DAY_MS = 86_400_000;

let service: TestService;
let receiver: Receiver;
let status = 204;
beforeAll(async () => {
  service = await TestService.start();
  receiver = await Receiver.start(service, () => status);
});
afterAll(async () => {
  await receiver.stop();
  await service.stop();
});

const overview = async (key: string) => (await service.call("GET", "/console/overview", { key })).body;

test("the overview counts events, deliveries, endpoints and cost of the team, and only of it", {
  tags: "deep",
}, async () => {
  const key = await createTeamWithReceiver(service, receiver);
  const before = await overview(key);
  expect(before).toMatchObject({
    usage: { today: { events: 0, samples: 0 }, prices: { currency: "USD" } },
    deliveries: { delivered: 0, failed: 0 },
    endpoints: { enabled: 1, disabled: 0, failing: 0, suspended: 0 },
  });
  const userId = await service.createUser("counted", key);
  const sent = { heartrate: [{ timestamp: "2026-05-01T08:00:00Z", value: 60 }] };
  await ingestBatch(service, userId, sent, { key });
  await service.settle();
  const after = await overview(key);
  expect(after.usage.today.events).toBeGreaterThan(0);
  expect(after.usage.today).toMatchObject({ samples: 1 });
  expect(after.usage.month.estimated_dollars).toBeGreaterThan(0);
  expect(after.deliveries).toMatchObject({ delivered: after.usage.today.deliveries, failed: 0 });
  expect(Date.parse(after.at) - Date.parse(after.deliveries.since)).toBe(DAY_MS);
  const { key: other } = await service.createTeam("Beside");
  expect((await overview(other)).usage.today).toMatchObject({ events: 0, samples: 0 });
});

test("an endpoint that fails is counted until it succeeds", { tags: "deep" }, async () => {
  const key = await createTeamWithReceiver(service, receiver);
  const userId = await service.createUser("failing", key);
  status = 500;
  await ingestBatch(service, userId, { heartrate: [{ timestamp: "2026-05-01T08:00:00Z", value: 61 }] }, { key });
  await service.settle();
  const failing = await overview(key);
  expect(failing.endpoints).toMatchObject({ enabled: 1, failing: 1 });
  expect(failing.deliveries.failed).toBeGreaterThan(0);
  status = 204;
  await service.advance(DAY_MS / 4);
  expect((await overview(key)).endpoints).toMatchObject({ enabled: 1, failing: 0 });
});

test("a reader sees the overview, which names nobody, and the access log has no entry of it", async () => {
  const userId = await service.createUser("unnamed@example.com");
  const held = await openConsole(service, { key: service.identity.api_key, role: "reader" });
  const answer = await callInConsole(service, held, "GET", "/console/overview");
  expect(answer.status).toBe(200);
  expect(JSON.stringify(answer.body)).not.toMatch(new RegExp(`${userId}|unnamed@`));
  const { org_id, team_id } = service.identity;
  const { entries } = (await service.manage("GET", `/v1/org/${org_id}/team/${team_id}/access_log`)).body;
  const operations = entries.map(({ operation }: { operation: string }) => operation);
  expect([operations.includes("getOverview"), operations.includes("createUser")]).toEqual([false, true]);
});
