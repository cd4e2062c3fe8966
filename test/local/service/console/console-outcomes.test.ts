import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../../../functions/index.ts";
import { consolePathOf, isOnMainApiToo } from "../../../../lib/contract/console/console-path.ts";
import { type ConsoleRole, consoleRoleNames, consoleRoles } from "../../../../lib/contract/console/console-roles.ts";
import type { EndpointContract } from "../../../../lib/contract/endpoint.ts";
import { keyScopeNames } from "../../../../lib/contract/key-scopes.ts";
import { TestService } from "../../../support/service.ts";
import { callInConsole, createTicket, openConsole } from "./console-helpers.ts";

type Headers = Readonly<Record<string, string>>;
interface Route extends Pick<EndpointContract, "operationId" | "method"> {
  readonly path: string;
}

const IDLE_MS = 5 * 60_000;

/** Every address at which a session is a credential. */
const routes: readonly Route[] = endpoints
  .filter((contract) => ["team", "console"].includes(contract.auth) || isOnMainApiToo(contract))
  .map((contract) => {
    const { operationId, method, auth, path } = contract;
    return { operationId, method, path: auth === "management" ? consolePathOf(contract) : path };
  });
const changing = routes.filter(({ method }) => method !== "GET");

let service: TestService;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("of the first team");
});
afterAll(() => service.stop());

/** The path of a route with the real ids of the first team, and ids of nothing for everything else. */
function pathOf({ path }: Route): string {
  const { org_id, team_id } = service.identity;
  const known: Readonly<Record<string, string>> = { org_id, team_id, user_id: userId, env: "sandbox", region: "us" };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? crypto.randomUUID());
}

const open = async (role: string, more: { teamId?: string; idleMinutes?: number } = {}) =>
  openConsole(service, { ticket: (await createTicket(service, { role, ...more })).ticket });

/** Calls routes one after the other. @returns the routes whose status is not as expected, with their status. */
async function findWrong(called: readonly Route[], headers: Headers, isExpected: (status: number) => boolean) {
  const wrong: string[] = [];
  for (const route of called) {
    const { status } = await callInConsole(service, headers, route.method, pathOf(route));
    if (!isExpected(status)) wrong.push(`${route.operationId} ${status}`);
  }
  return wrong;
}
const isUnauthorized = (status: number) => status === 401;

describe.each(consoleRoleNames)("every route answers 401 to the role %s", (role) => {
  test("after its person has signed out", { tags: "deep" }, async () => {
    const held = await open(role);
    expect((await callInConsole(service, held, "DELETE", "/console/session")).status).toBe(204);
    expect(await findWrong(routes, held, isUnauthorized)).toEqual([]);
  });

  test("after its idle time", { tags: "deep" }, async () => {
    const held = await open(role, { idleMinutes: IDLE_MS / 60_000 });
    expect((await callInConsole(service, held, "GET", "/console/session")).status).toBe(200);
    await service.advance(IDLE_MS);
    expect(await findWrong(routes, held, isUnauthorized)).toEqual([]);
  });
});

describe("a session of another team", () => {
  const named = routes.filter(({ path }) => /\{(user_id|team_id)\}/.test(path));

  test.each(consoleRoleNames)(
    "of the role %s succeeds on no route that names a user or a team",
    { tags: "deep" },
    async (role) => {
      const { teamId } = await service.createTeam(`Other team of ${role}`);
      const held = await open(role, { teamId });
      expect(named.length).toBeGreaterThan(40);
      expect(await findWrong(named, held, (status) => [400, 403, 404, 415, 422].includes(status))).toEqual([]);
      expect((await service.call("GET", `/v2/user/${userId}`)).status).toBe(200);
    },
  );

  test("is no session under the name of the first team", { tags: "deep" }, async () => {
    const { teamId } = await service.createTeam("Renamed team");
    const { cookie = "", ...rest } = await open("admin", { teamId });
    const [name, token = ""] = cookie.split("=cs_");
    const bytes = Buffer.from(token, "base64url");
    expect(bytes.subarray(0, 16).toString("hex")).toBe(teamId.replaceAll("-", ""));
    const own = Buffer.from(service.identity.team_id.replaceAll("-", ""), "hex");
    const renamed = Buffer.concat([own, bytes.subarray(16)]).toString("base64url");
    expect(await findWrong(routes, { ...rest, cookie: `${name}=cs_${renamed}` }, isUnauthorized)).toEqual([]);
  });
});

describe("a page of another site", () => {
  test("changes nothing at any route, because it cannot send the header of the console", {
    tags: "deep",
  }, async () => {
    const { cookie = "" } = await open("admin");
    expect(changing.length).toBeGreaterThan(60);
    for (const more of [{}, { "x-console-request": "0" }, { "content-type": "text/plain" }] as Headers[]) {
      const forged = { cookie, origin: "https://evil.example", ...more };
      // The route of agents refuses foreign origins before it looks for a credential.
      expect(await findWrong(changing, forged, isUnauthorized)).toEqual(["answerAgentMessage 403"]);
    }
  });

  test("gets the permission for the header or for cookies at no route", async () => {
    const wrong: string[] = [];
    const seen = new Set<string>();
    for (const route of changing) {
      const { headers } = await service.call("OPTIONS", pathOf(route), {
        key: null,
        headers: {
          origin: "https://evil.example",
          "access-control-request-method": route.method,
          "access-control-request-headers": "x-console-request",
        },
      });
      const allowed = headers.get("access-control-allow-headers") ?? "";
      if (/x-console-request|\*/i.test(allowed) || headers.has("access-control-allow-credentials"))
        wrong.push(route.operationId);
      seen.add(allowed);
    }
    expect(wrong).toEqual([]);
    expect([...seen].join()).toContain("content-type");
  }, 120_000);
});

describe("docs/console.md", () => {
  const page = readFileSync("docs/console.md", "utf8");
  const section = (title: string) => page.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
  const words = (cell = "") => [...cell.matchAll(/`(\w+)`/g)].map(([, word = ""]) => word);
  const rows = (title: string) =>
    [...section(title).matchAll(/^\| (`.+?) \| (.+?) \|/gm)].map(([, roles, cell]) => [words(roles), cell] as const);

  test("lists the scopes of each role", () => {
    const documented = rows("Roles").map(([[role], cell]) => [role, cell === "all" ? keyScopeNames : words(cell)]);
    const actual = consoleRoleNames.map((role) => [role, consoleRoles[role].scopes]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(actual));
  });

  test.each(consoleRoleNames)("lists every management operation of the role %s, and no other", (role: ConsoleRole) => {
    const documented = rows("Changes with a management key").flatMap(([roles, cell]) =>
      roles.includes(role) ? words(cell) : [],
    );
    const actual = endpoints.filter(({ consoleRoles: opened }) => opened?.includes(role));
    expect(documented.toSorted()).toEqual(actual.map(({ operationId }) => operationId).toSorted());
  });
});
