// @module-tag deep
import { mkdtempSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { createLinkToken } from "../connections/link-helpers.ts";

/** A low work rate: an address has 20 units per second and a burst of 1,200. */
const settings = { workPerSecond: 100 };
const REFILL_MS = 70_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start(mkdtempSync(join(tmpdir(), "tributary-test-")), settings);
});
afterAll(() => service.stop());

const guessed = "x".repeat(43);
const body = (fields: object) => ({ method: "POST", body: JSON.stringify(fields) });
const guesses: [string, string, RequestInit][] = [
  ["getLinkPage", `/v2/link/web?token=lt_${guessed}`, {}],
  ["beginOauthLink", `/v2/link/authorize/oura?ticket=ot_${guessed}`, {}],
  ["finishOauthLink", `/v2/link/callback/oura?code=c&state=os_${guessed}`, {}],
  ["createSession", "/v2/sdk/session", body({ sign_in_token: `si_${guessed}` })],
  ["refreshSession", "/v2/sdk/session/refresh", body({ refresh_token: `sr_${guessed}` })],
  ["getUserPortal", `/v2/portal/user?token=${guessed}`, {}],
  ["receiveProviderPush", "/v2/link/push/oura", body({ event_type: "create" })],
];

/** Sends a request from another address of this machine. */
const fromElsewhere = (path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(`${service.baseUrl}${path}`, { localAddress: "127.0.0.77" }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });

test.each(guesses)("%s refuses an address that guesses, and nobody else", async (_, path, init) => {
  await service.advance(REFILL_MS);
  const ask = () => fetch(`${service.baseUrl}${path}`, { redirect: "manual", ...init });
  const statuses: number[] = [];
  let last = await ask();
  while (last.status !== 429 && statuses.length < 400) {
    statuses.push(last.status);
    await last.arrayBuffer();
    last = await ask();
  }
  expect(last.status).toBe(429);
  expect(await last.json()).toMatchObject({ code: "too_many_requests" });
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(statuses.length).toBeGreaterThan(50);
  expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true);
  // Requests with a key or from another address still succeed. Only Linux has a second loopback address to send from.
  expect((await service.call("GET", "/v2/user")).status).toBe(200);
  if (process.platform === "linux") expect(await fromElsewhere("/v2/link/web")).toBe(200);
});

test("callers with a valid link pass at the usual rate of link requests", async () => {
  await service.advance(REFILL_MS);
  const { link_web_url } = await createLinkToken(service, await service.createUser("linked"));
  for (let visit = 0; visit < 100; visit++) expect((await fetch(link_web_url)).status).toBe(200);
});
