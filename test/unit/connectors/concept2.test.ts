import { expect, test } from "vitest";
import { concept2 } from "../../../lib/connectors/concept2/concept2.ts";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { derivePushKey } from "../../../lib/connectors/push-key.ts";
import { PushReceiver } from "../simulators/providers/simulated-providers.ts";
import { oauthApp } from "./connected-provider.ts";
import {
  acceptBatches,
  createConnection,
  expectedBetween,
  expectRecords,
  windowBetween,
} from "./simulated-connection.ts";

const [FROM, TO] = ["2026-04-20", "2026-05-19"];
const month = windowBetween(FROM, TO);

test("Concept2 provides workouts of 30 days that match the ergometers, with their strokes", async () => {
  const { provider, pull } = await createConnection(concept2);
  const truth = expectedBetween(provider, FROM, TO);
  const found = await pull(month, "profile", "workouts");
  expectRecords(found.profile, truth.profile, "birth_date");
  expect(found.body).toHaveLength(1);
  expectRecords(found.workouts, truth.workouts, "provider_id");
  // Strokes state decimetres.
  expectRecords(found.workout_stream, truth.workout_stream, "provider_id", 0.05);
});

test("Concept2's tokens rotate, rate limits delay requests, and revoked access ends", async () => {
  const { provider, pull, tokens, clock } = await createConnection(concept2);
  const first = tokens.refresh;
  provider.tokens.expireAccessTokens();
  provider.setSwitches({ duplicates: true });
  expectRecords((await pull(month, "workouts")).workouts, expectedBetween(provider, FROM, TO).workouts, "provider_id");
  expect(tokens.refresh).not.toBe(first);
  provider.setSwitches({ rate_limited: 1 });
  const refused = await pull(month, "profile").catch((error) => error);
  expect(refused).toBeInstanceOf(RateLimited);
  expect(refused.retryAtMs).toBeGreaterThan(clock.now());
  provider.tokens.revoke("ada");
  await expect(pull(month, "profile")).rejects.toThrow(AccessEnded);
});

test("Concept2's pushes carry the key of the address, and the connector pulls the named result again", {
  tags: "deep",
}, async () => {
  const { provider, client, accountId } = await createConnection(concept2);
  const truth = expectedBetween(provider, FROM, TO).workouts ?? [];
  const about = { account: "ada", kind: "result", date: String(truth[0]?.time_start).slice(0, 10) };
  const receiver = await PushReceiver.start();
  provider.setWebhook({ url: receiver.origin });
  await provider.notify({ ...about, change: "create" });
  await provider.notify({ ...about, change: "delete" });
  await receiver.stop();
  const [added, deleted] = receiver.received.map(({ body }) => body);
  const push = (body = "", key = "") => ({
    method: "POST" as const,
    headers: {},
    body,
    query: new URLSearchParams({ key }),
  });
  expect(concept2.push?.verify(push(added, derivePushKey(oauthApp, "concept2")), oauthApp, 0)).toBe(true);
  expect(concept2.push?.verify(push(added), oauthApp, 0)).toBe(false);
  const id = String(truth[0]?.provider_id);
  expect(concept2.push?.parse(push(added))).toEqual([{ accountId, changed: { resource: "workouts", id } }]);
  expect(concept2.push?.parse(push(deleted))).toEqual([]);
  const pullOne = async (one: string) =>
    acceptBatches(await Array.fromAsync(concept2.pullOne?.("workouts", one, client) ?? []), month.endMs);
  expectRecords((await pullOne(id)).workouts, truth.slice(0, 1), "provider_id");
  expect(await pullOne("1")).toEqual({});
});
