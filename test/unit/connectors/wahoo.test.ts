import { expect, test } from "vitest";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { readFitFile } from "../../../lib/connectors/read-fit-file.ts";
import { wahoo } from "../../../lib/connectors/wahoo/wahoo.ts";
import { PushReceiver } from "../simulators/providers/simulated-providers.ts";
import { oauthApp as application } from "./connected-provider.ts";
import {
  acceptBatches,
  createConnection,
  expectedBetween,
  expectRecords,
  windowBetween,
} from "./simulated-connection.ts";

const [FROM, TO] = ["2026-04-20", "2026-05-19"];
const month = windowBetween(FROM, TO);
/** The records on the simulator's page. */
const app = { ...application, pushSecret: "tributary-local-webhook-token" };

test("Wahoo provides workouts of 30 days that match the bike computer, with streams from their FIT files", {
  tags: "deep",
}, async () => {
  const { provider, pull, server } = await createConnection(wahoo);
  const truth = expectedBetween(provider, FROM, TO);
  const found = await pull(month, "profile", "workouts");
  expectRecords(found.profile, truth.profile, "height");
  expectRecords(found.workouts, truth.workouts, "provider_id");
  expectRecords(found.workout_stream, truth.workout_stream, "provider_id", 1e-6);
  const files = server.requests.filter(({ host }) => host === "cdn.wahooligan.com");
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
});

test("an invalid FIT file gives no stream", async () => {
  const file = new TextEncoder().encode("no FIT file, but long enough to be one");
  expect(await readFitFile(file.buffer)).toEqual({ stream: undefined, sessions: [] });
});

test("Wahoo's tokens rotate, rate limits delay requests, and revoked access ends", async () => {
  const { provider, pull, tokens, clock } = await createConnection(wahoo);
  const first = { ...tokens };
  provider.tokens.expireAccessTokens();
  provider.setSwitches({ duplicates: true });
  expectRecords((await pull(month, "workouts")).workouts, expectedBetween(provider, FROM, TO).workouts, "provider_id");
  expect(tokens.refresh).not.toBe(first.refresh);
  const headers = new Headers({ "x-ratelimit-remaining": "10, 0, 0", "x-ratelimit-reset": "5, 60, 900" });
  expect(wahoo.retryAt?.(headers, 0)).toBe(900_000);
  provider.setSwitches({ rate_limited: 1 });
  const refused = await pull(month, "profile").catch((error) => error);
  expect(refused).toBeInstanceOf(RateLimited);
  expect(refused.retryAtMs).toBeGreaterThan(clock.now());
  provider.tokens.revoke("ada");
  await expect(pull(month, "profile")).rejects.toThrow(AccessEnded);
});

test("Wahoo's pushes carry the token in the body, and the connector pulls the named records again", async () => {
  const { provider, client, accountId } = await createConnection(wahoo);
  const truth = expectedBetween(provider, FROM, TO).workouts ?? [];
  const date = String(truth[0]?.time_start).slice(0, 10);
  const receiver = await PushReceiver.start();
  provider.setWebhook({ url: receiver.origin });
  await provider.notify({ account: "ada", kind: "workout_summary", date, change: "create" });
  await receiver.stop();
  const { headers = {}, body = "" } = receiver.received[0] ?? {};
  const push = { method: "POST" as const, headers, body, query: new URLSearchParams() };
  const verify = (text: string, by: typeof application) => wahoo.push?.verify({ ...push, body: text }, by, 0);
  expect(verify(body, app)).toBe(true);
  expect(verify(body.replace("webhook-token", "other-token"), app)).toBe(false);
  expect(verify(body, application)).toBe(false);
  expect(verify("no JSON", app)).toBe(false);
  const id = String(truth[0]?.provider_id);
  expect(wahoo.push?.parse(push)).toEqual([{ accountId, changed: { resource: "workouts", id } }]);
  const batches = await Array.fromAsync(wahoo.pullOne?.("workouts", id, client) ?? []);
  expectRecords(acceptBatches(batches, month.endMs).workouts, truth.slice(0, 1), "provider_id");
});
