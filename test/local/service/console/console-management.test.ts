import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../../../functions/index.ts";
import { consoleRoleNames } from "../../../../lib/contract/console/console-roles.ts";
import { TestService } from "../../../support/service.ts";
import { callInConsole, consoleHeader, createTicket, openConsole } from "./console-helpers.ts";

/** The management operations that each role calls in the console. docs/console.md lists them. */
const OF_SUPPORT = ["getEventDeliveryMetric", "getWebhookTask", "recoverWebhook", "replayMissingWebhook"];
const OF_ADMIN = [
  ...OF_SUPPORT,
  ...["createTeamApiKey", "createWebhook", "deleteCustomCredentials", "deleteTeamApiKeys", "deleteWebhook", "getTeam"],
  ...["getTeamLimits", "getUsage", "getWebhookHeaders", "getWebhookSecret", "listAccessLog", "listCustomCredentials"],
  ...["listTeamApiKeys", "rotateWebhookSecret", "setCustomCredentials", "setWebhookHeaders", "updateTeam"],
  "updateWebhook",
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const org = () => `/v1/org/${service.identity.org_id}`;
const openWithTicket = async (role: string, name?: string) =>
  openConsole(service, { ticket: (await createTicket(service, { role, ...(name ? { name } : {}) })).ticket });
const call = (headers: Readonly<Record<string, string>>, method: string, path: string, body?: unknown) =>
  callInConsole(service, headers, method, `/console${path}`, body);

const management = endpoints.filter(({ auth }) => auth === "management");

/** The path of an operation, in the team of this service, with ids of nothing. */
function pathOf({ path }: (typeof management)[number], teamId = service.identity.team_id): string {
  const known: Record<string, string> = {
    org_id: service.identity.org_id,
    team_id: teamId,
    env: "sandbox",
    region: "us",
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? crypto.randomUUID());
}

describe("an operation of the management API", () => {
  test.each(consoleRoleNames)(
    "is open to the role %s exactly as the documentation says",
    { tags: "deep" },
    async (role) => {
      const held = await openWithTicket(role);
      const open: string[] = [];
      for (const contract of management) {
        const { status, body, headers } = await call(held, contract.method, pathOf(contract));
        // Without a route the page of the console answers, as at every address below /console.
        if (headers.get("content-type")?.startsWith("text/html")) continue;
        expect([contract.operationId, status < 500 && status !== 401]).toEqual([contract.operationId, true]);
        const isRefused = /The role \w+ may not/.test(JSON.stringify(body));
        if (!isRefused && !/route/.test(String(body.detail))) open.push(contract.operationId);
      }
      const expected = { admin: OF_ADMIN, support: OF_SUPPORT }[role as string] ?? [];
      expect(open.toSorted()).toEqual(expected.toSorted());
    },
  );

  test("is closed to the session of an API key, whatever its role, because the key may not call it either", async () => {
    const held = await openConsole(service, { key: service.identity.api_key, role: "admin" });
    for (const contract of management.filter(({ consoleRoles }) => consoleRoles !== undefined)) {
      expect([contract.operationId, (await call(held, contract.method, pathOf(contract))).status]).toEqual([
        contract.operationId,
        403,
      ]);
    }
    const session = await callInConsole(service, held, "GET", "/console/session");
    expect(session.body.manages_team).toBe(false);
  });

  test("accepts no key on the main API, and no session on the management API", async () => {
    const path = `${org()}/team_api_keys/sandbox/us`;
    const headers = { "x-management-key": service.identity.management_key };
    expect((await call(headers, "GET", path)).status).toBe(401);
    const held = await openWithTicket("admin");
    expect((await service.manage("GET", path, { key: null, headers: held })).status).toBe(401);
    expect((await call(held, "GET", path)).status).toBe(200);
  });

  test("needs the header of the console, which no page of another site sends", async () => {
    const held = await openWithTicket("admin");
    const path = `${org()}/team_api_keys/sandbox/us`;
    const { cookie = "" } = held;
    const body = { label: "forged", team_id: service.identity.team_id };
    expect((await call({ cookie }, "POST", path, body)).status).toBe(401);
    expect((await call({ cookie, "x-console-request": "0" }, "POST", path, body)).status).toBe(401);
    expect((await call(consoleHeader, "POST", path, body)).status).toBe(401);
    const { api_keys } = (await call(held, "GET", path)).body;
    expect(api_keys.map(({ label }: { label: string }) => label)).not.toContain("forged");
  });

  test("reaches the team of the session only, also if the management key reaches the whole organisation", async () => {
    const { teamId } = await service.createTeam("Another team");
    const held = await openWithTicket("admin");
    const wrong: string[] = [];
    for (const contract of management.filter(({ consoleRoles, path }) => consoleRoles && path.includes("{team_id}"))) {
      const { status } = await call(held, contract.method, pathOf(contract, teamId));
      if (status !== 404 && status !== 422) wrong.push(`${contract.operationId} ${status}`);
    }
    expect(wrong).toEqual([]);
    const label = { label: "reach", team_id: teamId };
    expect((await call(held, "POST", `${org()}/team_api_keys/sandbox/us`, label)).status).toBe(404);
    const today = new Date(service.cloud.clock.now()).toISOString().slice(0, 10);
    expect((await call(held, "GET", `${org()}/usage?start_date=${today}&team_id=${teamId}`)).status).toBe(404);
    expect((await call(held, "GET", `${org()}/usage?start_date=${today}`)).status).toBe(403);
    expect((await call(held, "GET", `${org()}/team_custom_credentials/sandbox/us?team_id=${teamId}`)).status).toBe(404);
    expect((await call(held, "GET", `${org()}/team_custom_credentials/sandbox/us`)).status).toBe(403);
    const { api_keys } = (await call(held, "GET", `${org()}/team_api_keys/sandbox/us`)).body;
    expect(new Set(api_keys.map(({ team_id }: { team_id: string }) => team_id))).toEqual(
      new Set([service.identity.team_id]),
    );
  });

  test("is in the audit log with the person and the session", async () => {
    const held = await openWithTicket("admin", "Admin of the desk");
    const { session_id } = (await callInConsole(service, held, "GET", "/console/session")).body;
    const { headers } = await call(held, "GET", `${org()}/team_api_keys/sandbox/us`);
    const { entries } = (await service.manage("GET", `${org()}/audit_log`)).body;
    const entry = entries.find(({ id }: { id: string }) => id === headers.get("x-request-id"));
    expect(entry).toMatchObject({ operation: "listTeamApiKeys", actor: "Admin of the desk", session_id, status: 200 });
    expect(service.identity.management_key).toContain(entry.key_id);
  });

  test("works in the session of an admin as with the key", async () => {
    const held = await openWithTicket("admin");
    const path = `${org()}/team_api_keys/sandbox/us`;
    const made = await call(held, "POST", path, { label: "Made in the console", team_id: service.identity.team_id });
    expect(made.status).toBe(200);
    expect((await service.call("GET", "/v2/user", { key: made.body.value })).status).toBe(200);
    const gone = await call(held, "DELETE", `${path}?api_key_id=${made.body.id}`);
    expect(gone.body.success).toEqual([made.body.id]);
    const update = await call(held, "PATCH", `${org()}/team/${service.identity.team_id}`, {
      sandbox: { features: ["bulk_export"] },
    });
    expect([update.status, update.body.sandbox.features]).toEqual([200, ["bulk_export"]]);
  });
});
