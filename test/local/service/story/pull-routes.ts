import { expect } from "vitest";
import type { TestService } from "../../../support/service.ts";
import { keepPayloads } from "../connections/keep-payloads.ts";
import { connectAccount, setPullDays } from "../connections/link-helpers.ts";
import { expireApplicationCache } from "../connections/provider-pushes.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { losePushes } from "./health-routes.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A provider that allows one concurrent connection of a team. */
const SLOW = "strava";

/**
 * Calls every route of pulls, introspection and bulk operations for connections of the first team.
 * @param forget makes functions read keys again.
 * @returns the users.
 */
export async function callPullRoutes(service: TestService, forget: () => Promise<unknown>): Promise<string[]> {
  const call = async (method: string, path: string, body?: object) => {
    await forget();
    return service.call(method, path, body ? { body } : {});
  };
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await call(method, path, body);
    expect([method, path, answer.status < 300 || answer.body]).toEqual([method, path, true]);
    return answer.body;
  };
  await keepPayloads(service);
  const names = ["who is refreshed", "who is imported", "who is slow", "who is slower"];
  const users = await Promise.all(names.map((name) => service.createUser(name)));
  const [user = "", imported = "", slow = "", slower = ""] = users;
  const { tokens } = service.started.service.providers.provider("oura");
  await setPullDays(service, 2);
  // Functions of one process share opened credentials; no function opens those of this connection before its export.
  service.cloud.faults.add({
    service: "sqs",
    function: findFunctionName(service, "finishOauthLink"),
    mode: "fail_before",
  });
  await connectAccount(service, user, "gil");
  service.cloud.faults.clear();
  const bulk = (what: string, body: object) => ask("POST", `/v2/link/bulk_${what}`, { provider: "oura", ...body });
  const { data } = await bulk("export", { user_ids: [user] });
  // The sweeper pulls its history.
  await service.advance(5 * MINUTE_MS);
  await ask("POST", `/v2/user/refresh/${user}`);
  tokens.expireAccessTokens();
  await expireApplicationCache(forget);
  await losePushes(service, user);
  await ask("POST", `/v2/user/refresh/${user}`);
  for (const what of ["resources", "historical_pull"]) {
    await ask("GET", `/v2/introspect/${what}`);
    await ask("GET", `/v2/introspect/${what}?user_id=${user}`);
  }
  await callPayloadRoutes(service, ask, user);
  await bulk("export", {});
  const stale = await ask("GET", "/v2/introspect/stale_connections");
  expect(stale.connections).toMatchObject([{ user_id: user, provider: "oura", reason: "pushes_lost" }]);
  const connections = [{ ...data[0], user_id: imported }];
  await expireApplicationCache(forget);
  await bulk("import", { connections, wait_for_completion: true });
  await bulk("pause", { user_ids: [imported] });
  await bulk("trigger_historical_pull", { user_ids: [user], wait_for_completion: true });
  await ask("GET", "/v2/link/bulk_op");
  await callRoutesOfSlowProvider(service, call, [slow, slower]);
  tokens.revoke("gil");
  await ask("POST", `/v2/user/refresh/${user}`);
  return users;
}

/** Calls every route of kept payloads. Changed bounds of ingestion make a remap differ. */
async function callPayloadRoutes(
  service: TestService,
  ask: (method: string, path: string, body?: object) => Promise<{ data: { id: string }[] }>,
  user: string,
): Promise<void> {
  const { data } = await ask("GET", `/v2/raw_payloads/${user}?provider=oura`);
  await ask("GET", `/v2/raw_payloads/${user}/${data[0]?.id}`);
  for (const ingestion_end of ["2020-01-01", null]) {
    await ask("PATCH", `/v2/user/${user}`, { ingestion_end });
    await ask("POST", `/v2/raw_payloads/${user}/remap`, { provider: "oura", dry_run: false });
    await service.settle();
    expect(await ask("GET", `/v2/raw_payloads/${user}/remap`)).toMatchObject({ status: "done" });
  }
}

/** Calls bulk routes for two connections of a provider that allows one at a time, with lost queue messages at first. */
async function callRoutesOfSlowProvider(
  service: TestService,
  call: (method: string, path: string, body: object) => Promise<unknown>,
  user_ids: readonly string[],
): Promise<void> {
  await setPullDays(service, 0, SLOW);
  for (const [index, id] of user_ids.entries()) await connectAccount(service, id, `slow-${index}`, SLOW);
  await service.settle();
  const triggering = findFunctionName(service, "bulkTriggerHistoricalPull");
  service.cloud.faults.add({ service: "sqs", function: triggering, mode: "fail_before" });
  await call("POST", "/v2/link/bulk_trigger_historical_pull", { provider: SLOW, user_ids });
  service.cloud.faults.clear();
  // More than a day without a push.
  await service.advance(26 * HOUR_MS);
}
