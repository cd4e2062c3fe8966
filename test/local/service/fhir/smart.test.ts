import type { Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../../../functions/index.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { placeOrder, simulateOrder } from "../orders/order-helpers.ts";
import { exportManifest, readLines } from "./bulk-helpers.ts";
import { type ClientKey, createKey, SmartClient, serveKeys } from "./smart-client.ts";

let service: TestService;
let rsa: ClientKey;
let userId: string;
let client: SmartClient;
const servers: Server[] = [];
beforeAll(async () => {
  service = await TestService.start();
  rsa = await createKey("RS384");
  userId = await service.createUser("read by a backend service");
  await ingestBatch(service, userId, { body_weight: [{ timestamp: "2026-05-01T08:00:00Z", value: 70 }] });
  await simulateOrder(service, (await placeOrder(service, userId)).id);
  client = await register(rsa, ["system/*.rs"]);
});
afterAll(async () => {
  for (const server of servers) server.close();
  await service.stop();
});

const clientsPath = () => `/v1/org/${service.identity.org_id}/team/${service.identity.team_id}/fhir_client`;
const create = (body: object): Promise<Answer> =>
  service.manage("POST", clientsPath(), { body: { label: "warehouse", ...body } });

async function register(key: ClientKey, scopes: string[], source?: object): Promise<SmartClient> {
  const { status, body } = await create({ scopes, ...(source ?? { jwks: { keys: [key.jwk] } }) });
  expect([status, body]).toEqual([200, expect.objectContaining({ scopes })]);
  return new SmartClient(service, key, body.client_id);
}

const read = (path: string, headers: Record<string, string>) =>
  service.call("GET", `/fhir${path}`, { key: null, headers });

describe("the SMART configuration", () => {
  test("leads to the token endpoint, without a key", async () => {
    const { status, body } = await service.call("GET", "/fhir/.well-known/smart-configuration", { key: null });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        token_endpoint: `${service.baseUrl}/fhir/auth/token`,
        token_endpoint_auth_signing_alg_values_supported: ["RS384", "ES384"],
        capabilities: expect.arrayContaining(["client-confidential-asymmetric"]),
      }),
    ]);
  });
});

describe("a client", () => {
  test.each(["RS384", "ES384"] as const)(
    "gets a token with a key of %s, which ends after 300 seconds",
    async (algorithm) => {
      const key = await createKey(algorithm);
      const backend = await register(key, ["system/*.rs"]);
      const { status, body, headers } = await backend.request(await backend.assertion());
      expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(body).toEqual({
        access_token: expect.stringMatching(/^at_/),
        token_type: "bearer",
        expires_in: 300,
        scope: "system/*.rs",
      });
      const authorization = { authorization: `Bearer ${body.access_token}` };
      expect((await read(`/Patient/${userId}`, authorization)).body.id).toBe(userId);
      await service.advance(301_000);
      expect((await read(`/Patient/${userId}`, authorization)).status).toBe(401);
    },
  );

  test("reads by search and by bulk export", async () => {
    const headers = await client.authorize("system/*.rs");
    const found = await read(`/Observation?patient=${userId}&category=laboratory`, headers);
    expect(found.body.entry.length).toBeGreaterThan(0);
    const options = { key: null, headers: { ...headers } };
    const started = await service.call("GET", "/fhir/Patient/$export", {
      ...options,
      headers: { ...headers, prefer: "respond-async" },
    });
    await service.settle();
    const status = await fetch(started.headers.get("content-location") ?? "", { headers });
    const { output } = (await status.json()) as { output: { type: string; url: string; count: number }[] };
    expect(output.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["Patient", "Observation", "ServiceRequest"]),
    );
    for (const { url, count } of output) {
      const file = await fetch(url, { headers });
      expect(readLines(await file.text())).toHaveLength(count);
    }
  });

  test("gets the requested scopes that it has, and no others", async () => {
    const narrow = await register(rsa, ["system/Observation.rs", "system/Patient.r"]);
    const ask = async (scope: string) => {
      const { status, body } = await narrow.request(await narrow.assertion(), { scope });
      return status === 200 ? body.scope : body.error;
    };
    expect(await ask("system/Observation.rs system/Device.rs")).toBe("system/Observation.rs");
    expect(await ask("system/Observation.read")).toBe("system/Observation.read");
    for (const refused of [
      "",
      "system/*.rs",
      "system/Patient.s",
      "system/Observation.cud",
      "read",
      "patient/Patient.r",
    ])
      expect(await ask(refused)).toBe("invalid_scope");
  });

  test("is listed with the ids of its keys, and gets no token once it is deleted", async () => {
    const backend = await register(rsa, ["system/*.rs"]);
    const listed = await service.manage("GET", clientsPath());
    expect(listed.body.clients).toContainEqual(
      expect.objectContaining({ client_id: backend.clientId, key_ids: [rsa.kid], jwks_url: null }),
    );
    const path = `${clientsPath()}/${backend.clientId}`;
    expect((await service.manage("DELETE", path)).body).toEqual({ success: true });
    expect((await service.manage("DELETE", path)).status).toBe(404);
    expect((await backend.request(await backend.assertion())).body.error).toBe("invalid_client");
  });
});

describe("a token", () => {
  const types = ["Patient", "Observation", "Device", "Provenance", "ServiceRequest", "DiagnosticReport", "Specimen"];

  test("searches the types of its scopes and no other, with an OperationOutcome", { tags: "deep" }, async () => {
    for (const own of types) {
      const headers = await client.authorize(`system/${own}.rs`);
      for (const type of types) {
        const query = type === "Patient" ? "identifier=nobody" : `patient=${userId}`;
        const { status, body } = await read(`/${type}?${query}`, headers);
        expect([own, type, status, body.resourceType]).toEqual([
          ...[own, type],
          ...(own === type ? [200, "Bundle"] : [403, "OperationOutcome"]),
        ]);
      }
    }
  });

  test("without any type of a route is refused on every route with a credential", { tags: "deep" }, async () => {
    const headers = { ...(await client.authorize("system/Specimen.s")), prefer: "respond-async" };
    const routes = endpoints.filter(({ tag, auth }) => tag === "fhir" && auth === "team");
    const answers = [];
    const { url } = await exportManifest(service, "/Patient/$export");
    const ids = { export_id: url.split("/").at(-1) ?? "", number: "0", type: "ServiceRequest" };
    for (const { method, path } of routes) {
      const isGroup = path.includes("/Group/");
      const operation = path.startsWith("/fhir/Patient/{id}/") ? "$everything" : "$export";
      // POST of a Patient is an operation of the type.
      const id = isGroup ? "all" : method === "POST" ? "$export" : userId;
      const named: Record<string, string> = { ...ids, id, operation };
      const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => named[name] ?? "");
      const query = `?_type=Patient&patient=${userId}&identifier=a`;
      const isExport = target.endsWith("$export");
      const body =
        method === "POST"
          ? { resourceType: "Parameters", parameter: [{ name: "_type", valueCode: "Patient" }] }
          : undefined;
      const asked = isExport ? (method === "GET" ? `${target}?_type=Patient` : target) : `${target}${query}`;
      const { status } = await service.call(method, asked, { key: null, headers, ...(body ? { body } : {}) });
      answers.push([method, path, status]);
    }
    expect(answers).toEqual(routes.map(({ method, path }) => [method, path, 403]));
  });

  test("with the right to search alone reads nothing by id", async () => {
    const headers = await client.authorize("system/Patient.s");
    expect((await read("/Patient?identifier=nobody", headers)).status).toBe(200);
    expect((await read(`/Patient/${userId}`, headers)).status).toBe(403);
  });

  test("is refused outside of the FHIR interface", async () => {
    const headers = await client.authorize("system/*.rs");
    for (const path of [`/v2/user/${userId}`, "/v3/orders", "/v2/events"])
      expect((await service.call("GET", path, { key: null, headers })).status).toBe(403);
  });
});

describe("an assertion is refused", () => {
  const hour = 3_600;
  const nowS = () => Math.floor(service.cloud.clock.now() / 1000);
  const cases: [string, () => Promise<string>][] = [
    ["with another audience", () => client.assertion({ aud: `${service.baseUrl}/elsewhere` })],
    ["without an audience", () => client.assertion({ aud: undefined })],
    ["with another subject", () => client.assertion({ sub: "somebody" })],
    ["of an unknown issuer", () => client.assertion({ iss: "somebody", sub: "somebody" })],
    ["that has expired", () => client.assertion({ exp: nowS() - 120 })],
    ["that is valid for an hour", () => client.assertion({ exp: nowS() + hour })],
    ["that is not valid yet", () => client.assertion({ nbf: nowS() + hour })],
    ["without an end", () => client.assertion({ exp: undefined })],
    ["without an id", () => client.assertion({ jti: undefined })],
    ["with an id of 1,000 characters", () => client.assertion({ jti: "j".repeat(1_000) })],
    ["without the id of its key", () => client.assertion({}, { kid: undefined })],
    ["with the id of an unknown key", () => client.assertion({}, { kid: "another" })],
    [
      "that another key signed",
      async () => new SmartClient(service, await createKey("RS384", rsa.kid), client.clientId).assertion(),
    ],
    [
      "signed by RS256",
      async () => new SmartClient(service, await createKey("RS256", rsa.kid), client.clientId).assertion(),
    ],
    ["without a signature", async () => unsigned(await client.assertion())],
    ["that is no token", async () => "not.a.token"],
  ];
  test.each(cases)("%s", { tags: "deep" }, async (_, assertion) => {
    const { status, body } = await client.request(await assertion());
    expect([status, body]).toEqual([401, { error: "invalid_client", error_description: expect.any(String) }]);
  });

  test("that was used before", async () => {
    const assertion = await client.assertion();
    const answers = await Promise.all([client.request(assertion), client.request(assertion)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await client.request(assertion)).body.error).toBe("invalid_client");
  });

  test("for another grant or kind of assertion", async () => {
    const refused = async (fields: Record<string, string>) =>
      (await client.request(await client.assertion(), fields)).body.error;
    expect(await refused({ grant_type: "authorization_code" })).toBe("unsupported_grant_type");
    expect(await refused({ client_assertion_type: "saml" })).toBe("invalid_request");
  });
});

/** Replaces the signature of a token by the algorithm `none`. */
function unsigned(token: string): string {
  const [, claims = ""] = token.split(".");
  const header = Buffer.from(JSON.stringify({ alg: "none", kid: rsa.kid })).toString("base64url");
  return `${header}.${claims}.`;
}

describe("keys at an address", () => {
  const remote = async (answer: Parameters<typeof serveKeys>[0], key = rsa): Promise<SmartClient> => {
    const { url, server } = await serveKeys(answer);
    servers.push(server);
    return register(key, ["system/*.rs"], { jwks_url: url });
  };

  test("are read once for several tokens, and again for a key that is new", async () => {
    const next = await createKey("ES384", "next");
    const served = [rsa.jwk];
    let reads = 0;
    const backend = await remote((_, response) => {
      reads++;
      response.end(JSON.stringify({ keys: [...served, { kty: "oct", k: "secret" }] }));
    });
    for (const _ of [1, 2]) expect((await backend.request(await backend.assertion())).status).toBe(200);
    expect(reads).toBe(1);
    served.push(next.jwk);
    await service.advance(60_000);
    const rotated = new SmartClient(service, next, backend.clientId);
    expect((await rotated.request(await rotated.assertion({ jti: "rotated" }))).status).toBe(200);
    expect(reads).toBe(2);
  });

  test.each([
    ["larger than 64 KB", (response: { end(text: string): void }) => response.end(`{"keys":[]${" ".repeat(70_000)}}`)],
    [
      "with more than 50 keys",
      (response: { end(text: string): void }) => response.end(JSON.stringify({ keys: Array(51).fill({}) })),
    ],
    ["that are no JSON", (response: { end(text: string): void }) => response.end("<html>")],
    ["that never come", () => undefined],
  ])("%s give no token", { tags: "deep" }, async (_, answer) => {
    const backend = await remote((_, response) => void answer(response));
    const { status, body } = await backend.request(await backend.assertion());
    expect([status, body.error]).toEqual([401, "invalid_client"]);
  });

  test("are not read after a redirect", async () => {
    const backend = await remote((_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end());
    expect((await backend.request(await backend.assertion())).body.error).toBe("invalid_client");
  });
});

describe("a registration is refused", () => {
  const cases: [string, () => object][] = [
    ["with a private key", () => ({ jwks: { keys: [{ ...rsa.jwk, d: "secret" }] } })],
    ["with a key without an id", () => ({ jwks: { keys: [{ ...rsa.jwk, kid: undefined }] } })],
    ["with a short RSA key", () => ({ jwks: { keys: [{ ...rsa.jwk, n: "AQAB" }] } })],
    ["with another curve", () => ({ jwks: { keys: [{ kty: "EC", kid: "k", crv: "P-256", x: "a", y: "b" }] } })],
    ["with both sources of keys", () => ({ jwks: { keys: [rsa.jwk] }, jwks_url: "https://keys.example.com/jwks" })],
    ["without keys", () => ({})],
    ["with an address in a private network", () => ({ jwks_url: "https://10.0.0.1/jwks" })],
    ["with the right to write", () => ({ jwks: { keys: [rsa.jwk] }, scopes: ["system/*.cruds"] })],
    ["with an unknown type", () => ({ jwks: { keys: [rsa.jwk] }, scopes: ["system/Encounter.rs"] })],
  ];
  test.each(cases)("%s", async (_, body) => {
    const answer = await create({ scopes: ["system/*.rs"], ...body() });
    expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"]);
  });
});
