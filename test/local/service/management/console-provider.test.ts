import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { callInConsole, createTicket, openConsole } from "../console/console-helpers.ts";
import { providerPath } from "../console/sign-in-helpers.ts";
import { scanAllItems } from "../support/search-stored-data.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const SECRET = "a-secret-that-nobody-reads-again";
const settings = (more: object = {}) => ({
  issuer: "http://127.0.0.1:9",
  client_id: "console",
  client_secret: SECRET,
  role_claim: "groups",
  roles: [{ value: "ops", role: "support" }],
  ...more,
});
const put = (more: object = {}, path = providerPath(service)) => service.manage("PUT", path, { body: settings(more) });
const read = (path = providerPath(service)) => service.manage("GET", path);

describe("the provider of a team", () => {
  test("is set, read and deleted, with the addresses for its administrator and its people", async () => {
    expect((await read()).status).toBe(404);
    const { status, body } = await put();
    const redirect_uri = `${service.baseUrl}/console/sign-in`;
    const { client_secret, ...shown } = settings();
    expect([status, body]).toEqual([
      200,
      {
        ...shown,
        team_id: service.identity.team_id,
        client_secret_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        scopes: ["profile"],
        idle_minutes: 30,
        redirect_uri,
        sign_in_url: `${redirect_uri}?team=${service.identity.team_id}`,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    expect((await read()).body).toEqual(body);
    const changed = await put({ idle_minutes: 60 });
    expect(changed.body).toMatchObject({ created_at: body.created_at, idle_minutes: 60 });
    expect((await service.manage("DELETE", providerPath(service))).status).toBe(204);
    expect((await read()).status).toBe(404);
    expect((await service.manage("DELETE", providerPath(service))).status).toBe(404);
  });

  test("has a secret that no answer and no table shows", async () => {
    const answers = [await put(), await read()].map(({ body }) => JSON.stringify(body));
    const items = await Array.fromAsync(scanAllItems(service));
    expect(items.some(({ item }) => item.pk === `console_provider#${service.identity.team_id}`)).toBe(true);
    for (const text of [...answers, JSON.stringify(items)]) expect(text).not.toContain(SECRET);
  });

  test("has a key that no list shows, and that authenticates nobody", async () => {
    await put();
    const items = await Array.fromAsync(scanAllItems(service));
    const key = items.find(({ item }) => item.kind === "console_provider" && item.sk === "key")?.item;
    const { org_id } = service.identity;
    for (const path of ["management_key", "team_api_keys/sandbox/us"])
      expect(JSON.stringify((await service.manage("GET", `/v1/org/${org_id}/${path}`)).body)).not.toContain(key?.id);
    const text = `${key?.key_id}_${"A".repeat(43)}`;
    const digest = await crypto.subtle.digest("SHA-256", Buffer.from(text));
    const forged = `${text}_${Buffer.from(digest).toString("hex").slice(0, 6)}`;
    expect((await service.manage("GET", `/v1/org/${org_id}`, { key: forged })).status).toBe(401);
    expect((await service.call("GET", "/v2/user", { key: forged })).status).toBe(401);
  });

  test.each<[string, object]>([
    ["an unencrypted issuer", { issuer: "http://provider.example" }],
    ["an issuer in the own network", { issuer: "https://localhost" }],
    ["an issuer by its address", { issuer: "https://10.0.0.1" }],
    ["an issuer with a password", { issuer: "https://a:b@provider.example" }],
    ["an issuer with a query", { issuer: "https://provider.example?tenant=1" }],
    ["an issuer that is no address", { issuer: "provider" }],
    ["an issuer of another scheme", { issuer: "file:///etc/passwd" }],
    ["a role that does not exist", { roles: [{ value: "ops", role: "owner" }] }],
    ["no role", { roles: [] }],
    ["a value twice", { roles: [1, 2].map(() => ({ value: "ops", role: "support" })) }],
    ["51 values", { roles: Array.from({ length: 51 }, (_, index) => ({ value: `${index}`, role: "support" })) }],
    ["a scope with a space", { scopes: ["profile email"] }],
    ["no secret", { client_secret: "" }],
    ["an idle time of a second", { idle_minutes: 0 }],
  ])("is not set with %s", async (_, more) => {
    const { status, body } = await put(more);
    expect([status, body.code]).toEqual([422, "validation_failed"]);
  });

  test("is out of reach of another team's key, of API keys and of the console", async () => {
    const { org_id, team_id } = service.identity;
    const other = await service.createTeam("Beside");
    const body = { label: "beside", role: "team_admin", team_role_bindings: [{ team_id: other.teamId }] };
    const { key } = (await service.manage("POST", `/v1/org/${org_id}/management_key`, { body })).body;
    const admin = await openConsole(service, { ticket: (await createTicket(service)).ticket });
    for (const method of ["GET", "PUT", "DELETE"]) {
      const sent = method === "PUT" ? { body: settings() } : {};
      expect((await service.manage(method, providerPath(service), { key, ...sent })).status).toBe(404);
      expect((await service.call(method, providerPath(service), sent)).status).toBe(404);
      const inConsole = await callInConsole(service, admin, method, `/console${providerPath(service)}`, sent.body);
      expect(inConsole.headers.get("content-type")?.startsWith("text/html") || inConsole.status === 404).toBe(true);
    }
    expect((await read(providerPath(service, crypto.randomUUID()))).status).toBe(404);
    expect(team_id).not.toBe(other.teamId);
  });

  test("is one of the concurrent ones, and the others learn of the conflict", async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((client) => put({ client_id: `client-${client}` })));
    const set = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
    expect(set.map(({ body }) => body.client_id)).toContain((await read()).body.client_id);
    const items = await Array.fromAsync(scanAllItems(service));
    const keys = items.filter(({ item }) => item.kind === "console_provider" && item.sk === "key");
    expect(keys).toHaveLength(1);
  });
});
