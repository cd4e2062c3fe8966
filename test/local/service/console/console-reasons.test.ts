import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../../../functions/index.ts";
import { accessLogMode } from "../../../../lib/contract/access-log-mode.ts";
import { isOpenToRole } from "../../../../lib/contract/console/is-open-to-role.ts";
import { TestService } from "../../../support/service.ts";
import { callInConsole, openConsole } from "./console-helpers.ts";

let service: TestService;
let held: Record<string, string>;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("asked about");
  held = await openConsole(service, { key: service.identity.api_key, name: "Desk" });
});
afterAll(() => service.stop());

const team = () => `/v1/org/${service.identity.org_id}/team/${service.identity.team_id}`;
const ask = async (isAsked: boolean | null) => {
  const body = { sandbox: { console_reasons: isAsked } };
  expect((await service.manage("PATCH", team(), { body })).status).toBe(200);
  await service.advance(61_000);
};
const look = (reason?: string, path = `/v2/user/${userId}`) =>
  callInConsole(service, { ...held, ...(reason === undefined ? {} : { "x-console-reason": reason }) }, "GET", path);

test("a team that asks gets no call on data of one user without a reason, and the log shows the reason", {
  tags: "deep",
}, async () => {
  expect((await look()).status).toBe(200);
  await ask(true);
  expect((await callInConsole(service, held, "GET", "/console/session")).body.asks_reason).toBe(true);
  const refused = await look();
  expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining("x-console-reason")]);
  const { status, headers } = await look("support 4711");
  expect(status).toBe(200);
  const { entries } = (await service.manage("GET", `${team()}/access_log`)).body;
  const entry = entries.find(({ id }: { id: string }) => id === headers.get("x-request-id"));
  expect(entry).toMatchObject({ actor: "Desk", reason: "support 4711", operation: "getUser" });
  // Backends have no person to ask.
  expect((await service.call("GET", `/v2/user/${userId}`)).status).toBe(200);
  await ask(null);
  expect((await look()).status).toBe(403);
  await ask(false);
  expect((await look()).status).toBe(200);
});

test("a reason is a word of the list with a reference, and never free text", async () => {
  await ask(true);
  const wrong = ["", "because", "Support", "support Ada Lovelace", "support <script>", `support ${"x".repeat(41)}`];
  for (const reason of wrong) expect([reason, (await look(reason)).status]).toEqual([reason, 403]);
  for (const reason of ["support", "clinical", "quality A-1", "legal 2026.1", "other x_y"])
    expect([reason, (await look(reason)).status]).toEqual([reason, 200]);
  await ask(false);
});

test("every route that reads a user by its id asks, in path and query alike", { tags: "deep" }, async () => {
  await ask(true);
  const named = endpoints.filter(
    (contract) =>
      contract.auth === "team" &&
      contract.method === "GET" &&
      "user_id" in contract.params.shape &&
      accessLogMode(contract) !== undefined &&
      isOpenToRole(contract, "admin"),
  );
  expect(named.length).toBeGreaterThan(20);
  const open: string[] = [];
  for (const { operationId, path, params } of named) {
    const known: Record<string, string> = { user_id: userId };
    const to = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const [first] = (params.shape[name] as { options?: readonly string[] } | undefined)?.options ?? [];
      return known[name] ?? first ?? crypto.randomUUID();
    });
    const { status } = await look(undefined, to);
    if (status !== 403 && status !== 422) open.push(`${operationId} ${status}`);
  }
  expect(open).toEqual([]);
  await ask(false);
});

/** Requests that name a user in another way than by `user_id` in the path. */
const naming: readonly (readonly [method: string, path: () => string, body?: () => object])[] = [
  ["GET", () => `/v2/introspect/resources?user_id=${userId}`],
  ["GET", () => "/v2/user/resolve/asked%20about"],
  ["GET", () => `/console/user_search?search=%20${userId.toUpperCase()}`],
  ["GET", () => `/fhir/Patient/${userId}`],
  ["GET", () => `/fhir/Patient/${userId}/$everything`],
  ["GET", () => "/fhir/Patient?identifier=asked%20about"],
  ["GET", () => `/fhir/Observation?patient=${userId}`],
  ["GET", () => `/fhir/Observation?patient=Patient/${userId}`],
  ["GET", () => `/fhir/Device?patient=${userId}`],
  ["GET", () => `/fhir/Provenance?patient=${userId}`],
  ["GET", () => `/fhir/DiagnosticReport?patient=${userId}`],
  ["GET", () => `/v3/orders?user_id=${userId}`],
  ["GET", () => `/v3/orders?search_input=${userId}`],
  ["POST", () => "/v2/user/undo_delete", () => ({ client_user_id: "asked about" })],
  ["POST", () => "/v2/link/token", () => ({ user_id: userId })],
  ["POST", () => "/v2/link/bulk_export", () => ({ provider: "oura", user_ids: [userId] })],
  [
    "POST",
    () => "/fhir/Patient/$export",
    () => ({
      resourceType: "Parameters",
      parameter: [{ name: "patient", valueReference: { reference: `Patient/${userId}` } }],
    }),
  ],
];

test("a request that names a user in any way asks, and one that finds or lists users does not", async () => {
  await ask(true);
  const answers = naming.map(async ([method, path, body]) => {
    const [bare, given] = await Promise.all(
      [{}, { "x-console-reason": "support 1" }].map((more) =>
        callInConsole(service, { ...held, ...more, prefer: "respond-async" }, method, path(), body?.()),
      ),
    );
    const isAsked = bare?.status === 403 && JSON.stringify(bare.body).includes("x-console-reason");
    return [path(), isAsked, given?.status === 403];
  });
  expect(await Promise.all(answers)).toEqual(naming.map(([, path]) => [path(), true, false]));
  const free = ["/v2/user", "/console/user_search?search=asked", `/console/user_search?search=${userId.slice(0, 30)}`];
  for (const path of [...free, "/v3/orders?search_input=asked"])
    expect([path, (await look(undefined, path)).status]).toEqual([path, 200]);
  await ask(false);
});
