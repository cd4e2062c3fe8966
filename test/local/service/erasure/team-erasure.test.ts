import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch } from "../ingest/ingest-batch.ts";
import { findItemsContaining } from "../support/stored-items.ts";
import { createTeamWithReceiver, Receiver } from "../webhooks/webhook-receiver.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RATES = { heartrate: createHeartRates("2026-05-01T08:00:00Z", 1) };

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Items that name a team, outside of what stays by design: the two logs, their chains, and the certificates. */
const itemsOf = async (teamId: string) =>
  (await findItemsContaining(service, teamId)).filter((item) => !/ (access|audit|audit_chain|erasure)#/.test(item));

test("an erased team leaves no item, also if a key that is still cached deletes a user a moment after the team", async () => {
  const receiver = await Receiver.start(service, () => 204);
  const key = await createTeamWithReceiver(service, receiver);
  const users = [await service.createUser("first", key), await service.createUser("second", key)];
  for (const userId of users) await ingestBatch(service, userId, RATES, { key });
  const { team_id } = (await service.call("GET", `/v2/user/${users[0]}`, { key })).body;
  await service.advance(HOUR_MS);
  expect(receiver.received.length).toBeGreaterThan(1);
  // The function then knows the key for a minute.
  const nobody = "/v2/user/00000000-0000-4000-8000-000000000000";
  expect((await service.call("DELETE", nobody, { key })).status).toBe(404);
  const path = `/v1/org/${service.identity.org_id}/team/${team_id}`;
  expect((await service.manage("DELETE", path)).status).toBe(200);
  await service.advance(30_000);
  expect((await service.call("DELETE", `/v2/user/${users[1]}`, { key })).status).toBe(200);
  // Between the two ends of a grace period, the erasure of the team runs and must wait for the user.
  await service.advance(7 * DAY_MS - 25_000);
  for (let second = 0; second < 20; second += 5) await service.advance(5_000);
  await service.advance(6 * HOUR_MS);
  await receiver.stop();
  expect(await itemsOf(team_id)).toEqual([]);
});
