import { afterEach, expect, test } from "vitest";
import { isInboxOfOtherPort } from "../../../../../lib/start/move-inbox-endpoint.ts";
import { TestService } from "../../../../support/service.ts";
import { createHeartRates, ingestBatch } from "../../ingest/ingest-batch.ts";

/** A start on the data of an earlier one, on another port. Each start of a test service has ports of its own. */

let service: TestService | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

async function startAgain(before: TestService): Promise<TestService> {
  await before.stop({ keep: true });
  return TestService.start(before.data.path);
}

const webhook = ({ identity }: TestService) =>
  `/v1/org/${identity.org_id}/team/${identity.team_id}/sandbox/webhook/${identity.webhook_id}`;

test("a start on another port moves the endpoint of the inbox, unless the user redirected or deleted it", {
  tags: "deep",
}, async () => {
  service = await TestService.start();
  const before = service.baseUrl;
  service = await startAgain(service);
  expect(service.baseUrl).not.toBe(before);
  const moved = await service.manage("GET", webhook(service));
  expect(moved.body).toMatchObject({ url: `${service.baseUrl}/_local/inbox`, disabled: false });
  const userId = await service.createUser("after the move");
  await ingestBatch(service, userId, { heartrate: createHeartRates("2026-05-01T08:00:00Z", 2) });
  const [received] = await service.inbox("daily.data.heartrate.created");
  expect(received).toMatchObject({ verified: true, body: { user_id: userId } });

  const elsewhere = `${service.baseUrl}/elsewhere`;
  await service.manage("PATCH", webhook(service), { body: { url: elsewhere } });
  service = await startAgain(service);
  expect((await service.manage("GET", webhook(service))).body.url).toBe(elsewhere);

  await service.manage("DELETE", webhook(service));
  service = await startAgain(service);
  expect((await service.manage("GET", webhook(service))).status).toBe(404);
});

test("a start that was killed before it recorded the endpoint of the inbox is completed with that endpoint", async () => {
  service = await TestService.start();
  const { webhook_id, ...planned } = service.identity;
  service.data.write("identity.json", planned);
  service = await startAgain(service);
  expect(service.identity.webhook_id).toBe(webhook_id);
  const { org_id, team_id } = planned;
  const { body } = await service.manage("GET", `/v1/org/${org_id}/team/${team_id}/sandbox/webhook`);
  expect(body.data.map(({ url }: { url: string }) => url)).toEqual([`${service.baseUrl}/_local/inbox`]);
});

test("a start whose management key was revoked serves, and leaves the endpoint of the inbox", {
  tags: "deep",
}, async () => {
  service = await TestService.start();
  const keys = `/v1/org/${service.identity.org_id}/management_key`;
  const { body: listed } = await service.manage("GET", keys);
  expect((await service.manage("DELETE", `${keys}/${listed.data[0].id}`)).status).toBeLessThan(300);
  await service.advance(120_000);
  service = await startAgain(service);
  expect((await service.manage("GET", webhook(service))).status).toBe(401);
  expect((await service.call("GET", "/v2/user")).status).toBe(200);
});

test.each([
  ["http://127.0.0.1:7310/_local/inbox", true],
  ["http://localhost:7310/_local/inbox", true],
  ["http://[::1]:7310/_local/inbox", true],
  ["http://127.0.0.1:7330/_local/inbox", false],
  ["http://localhost:7330/_local/inbox", false],
  ["http://127.0.0.1:7310/_local/inbox?mine", false],
  ["http://127.0.0.1:7310/hooks/_local/inbox", false],
  ["http://inbox.example:7310/_local/inbox", false],
])("%s is the inbox at another port: %s", (url, is) => {
  expect(isInboxOfOtherPort(url, "http://127.0.0.1:7330")).toBe(is);
});
