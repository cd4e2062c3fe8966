import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ports, setPorts } from "../../../../lib/runtime/ports.ts";
import { TestService } from "../../../support/service.ts";
import {
  callWithLinkToken,
  createLinkToken,
  grantConsent,
  openAuthorizationUrl,
  openCallback,
  setPullDays,
} from "./link-helpers.ts";
import { simulatorApplication } from "./provider-pushes.ts";

const MINUTE_MS = 60_000;
const HUSH = "hush-hush";
const { clientId, clientSecret } = simulatorApplication;

let service: TestService;
let user: string;
let aheadMs = 0;
beforeAll(async () => {
  service = await TestService.start();
  const { clock } = service.cloud;
  setPorts({ ...ports(), clock: { now: () => clock.now() + aheadMs } });
  await setPullDays(service, 0);
  user = await service.createUser("who links");
});
afterAll(async () => {
  setPorts(undefined);
  await service.stop();
});
beforeEach(() => {
  rmSync(file(), { force: true });
  forget();
});

const file = () => service.data.file("provider-apps.json");
const set = (apps: unknown) => writeFileSync(file(), typeof apps === "string" ? apps : JSON.stringify(apps));
/** Advances the clock of the functions alone by five minutes, so that no task becomes due. */
const forget = () => {
  aheadMs += 5 * MINUTE_MS;
};
const logged = () => readFileSync(service.data.file("functions.log"), "utf8");
const secrets = async () => (await service.call("GET", "/_local/resources")).body.secrets;

async function startedWith(provider = "oura", key?: string) {
  const { link_token } = await createLinkToken(service, user, {}, key);
  return (await openAuthorizationUrl(service, link_token, provider)).searchParams.get("client_id");
}

test("the authorization request uses the deployment's application and redirect URI", { tags: "deep" }, async () => {
  expect(await secrets()).toEqual([{ name: "tributary/provider-apps", file: file(), is_set: false }]);
  expect(await startedWith()).toBe(clientId);
  const redirect_url = "https://back.example.com/oura";
  set({ oura: { client_id: "of the deployment", client_secret: HUSH, redirect_url } });
  expect((await secrets())[0].is_set).toBe(true);
  // A cached application is used for five minutes.
  expect(await startedWith()).toBe(clientId);
  forget();
  const { link_token } = await createLinkToken(service, user);
  const { searchParams } = await openAuthorizationUrl(service, link_token);
  expect([searchParams.get("client_id"), searchParams.get("redirect_uri")]).toEqual([
    "of the deployment",
    redirect_url,
  ]);
  expect(await startedWith("polar")).toBe(clientId);
});

test("a client secret that changes during consent is read again after the old one is refused", async () => {
  set({ oura: { client_id: clientId, client_secret: HUSH } });
  const { link_token } = await createLinkToken(service, user);
  const callback = await grantConsent(await openAuthorizationUrl(service, link_token), { account: "rotated" });
  set({ oura: { client_id: clientId, client_secret: clientSecret } });
  expect((await openCallback(callback)).outcome).toMatchObject({ state: "success" });
  expect((await service.call("DELETE", `/v2/user/${user}/oura`)).status).toBe(200);
});

test("pushes are verified with the application's push_secret", async () => {
  const push = async () => {
    const body = JSON.stringify({ event_type: "workout_summary", webhook_token: HUSH, user: { id: 1 } });
    return (await fetch(`${service.baseUrl}/v2/link/push/wahoo`, { method: "POST", body })).status;
  };
  expect(await push()).toBe(401);
  set({ wahoo: { client_id: "of the deployment", client_secret: "other", push_secret: HUSH } });
  forget();
  expect(await push()).not.toBe(401);
});

test("an unreadable or invalid configuration is an internal error, logged with the provider's name", async () => {
  set({ oura: { client_id: "of the deployment", secret: HUSH } });
  const { link_token } = await createLinkToken(service, user);
  const start = () => callWithLinkToken(service, "GET", "/v2/link/provider/oauth/oura", link_token);
  const { status, body } = await start();
  expect([status, body.code]).toEqual([500, "internal_error"]);
  const line =
    logged()
      .split("\n")
      .find((one) => one.includes("Misconfigured")) ?? "";
  expect(line).toMatch(
    /^\S*generateOauthLink\S* .*"reason":"the applications at providers [^"]*: oura \(client_secret\)/,
  );
  expect((await callWithLinkToken(service, "GET", "/v2/link/token", link_token)).status).toBe(500);
  set(`{"oura": {"client_secret": "${HUSH}"`);
  expect((await start()).status).toBe(500);
  expect(logged()).toContain("the applications at providers are not valid JSON");
  rmSync(file());
  mkdirSync(file());
  expect((await start()).status).toBe(503);
  rmdirSync(file());
  const fault = { service: "secretsmanager", mode: "fail_before", every_attempt: true };
  await service.call("POST", "/_local/faults", { body: fault });
  expect((await start()).status).toBe(503);
  await service.call("DELETE", "/_local/faults");
  expect((await start()).status).toBe(200);
});

test("the team's own application takes precedence, even if the deployment's configuration is invalid", async () => {
  const { org_id } = service.identity;
  const { teamId: team_id, key } = await service.createTeam("With an application");
  const own = { team_id, provider: "oura", client_id: "of the team", client_secret: HUSH };
  const path = `/v1/org/${org_id}/team_custom_credentials/sandbox/us`;
  expect((await service.manage("POST", path, { body: own })).status).toBe(200);
  user = await service.createUser("of the other team", key);
  set({ oura: { client_id: "of the deployment", client_secret: HUSH } });
  expect(await startedWith("oura", key)).toBe("of the team");
  set("broken");
  forget();
  expect(await startedWith("oura", key)).toBe("of the team");
});

test("no secret of an application is in the log", () => {
  expect(logged()).toContain("Misconfigured");
  expect(logged()).not.toContain(HUSH);
});
