import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { providers } from "../../../../lib/domain/connections/providers/providers.ts";
import { VirtualClock } from "../../../../lib/local/clock.ts";
import { ProviderServer } from "../../../../lib/simulators/providers/provider-server.ts";
import { startSimulatedProviders } from "./simulated-providers.ts";

describe("ProviderServer", () => {
  const clock = new VirtualClock();
  let server: ProviderServer;
  beforeAll(async () => {
    server = await ProviderServer.start(clock);
  });
  afterAll(async () => {
    await server.stop();
    clock.stop();
  });
  const get = (path: string) => fetch(`${server.origin}/${path}`, { redirect: "manual" });
  const post = (path: string, body: unknown) =>
    fetch(`${server.origin}/${path}`, { method: "POST", body: JSON.stringify(body) });

  test("serves each host by name and names an unknown host", async () => {
    const refused = await get("api.ouraring.com/v2/usercollection/sleep");
    expect(refused.status).toBe(401);
    expect(refused.headers.get("content-type")).toBe("application/json");
    expect((await get("api.ouraring.com/v3")).status).toBe(404);
    expect(await (await get("example.com/")).json()).toEqual({ error: "no provider with this host is simulated" });
  });

  test("records requests and accepts its settings over HTTP", async () => {
    await get("www.strava.com/api/v3/athlete?page=2");
    const { requests } = (await (await get("_simulator/requests")).json()) as { requests: object[] };
    expect(requests.at(-1)).toMatchObject({
      slug: "strava",
      path: "/api/v3/athlete",
      query: { page: "2" },
      status: 401,
    });
    const { providers: slugs } = (await (await get("_simulator/")).json()) as { providers: string[] };
    expect(slugs).toEqual(server.slugs);
    const switched = await post("_simulator/oura/switches", { duplicates: true });
    expect(await switched.json()).toMatchObject({ duplicates: true, revision: 0 });
    expect((await post("_simulator/oura/switches", { unknown: 1 })).status).toBe(422);
    expect((await post("_simulator/nobody/switches", {})).status).toBe(404);
    const truth = await (await get("_simulator/oura/truth?account=ada&from=2026-05-18&to=2026-05-18")).json();
    expect(truth.activity).toHaveLength(1);
    expect(truth.activity[0].calendar_date).toBe("2026-05-18");
  });

  test("uses the service's provider slugs", () => {
    const known = providers.map(({ slug }) => slug);
    for (const slug of server.slugs) expect(known).toContain(slug);
  });
});

describe("the provider's clock", () => {
  test("may differ from the service's clock", async () => {
    const { server, clock, ask } = startSimulatedProviders();
    server.provider("oura").setSwitches({ clock_skew_ms: 90_000 });
    const { headers } = await ask("GET", "api.ouraring.com/v2/usercollection/sleep");
    expect(Date.parse(headers.date ?? "")).toBe(clock.now() + 90_000);
  });

  test("keeps tokens of an earlier start valid", async () => {
    const [before, after] = [startSimulatedProviders(), startSimulatedProviders()];
    const code = (await before.consent("cloud.ouraring.com/oauth/authorize", "oura", { scope: "personal" })).get(
      "code",
    );
    const form = {
      client_id: "tributary-local",
      client_secret: "tributary-local-secret",
      redirect_uri: before.callback("oura"),
    };
    const { body } = await after.ask("POST", "api.ouraring.com/oauth/token", {
      form: { ...form, grant_type: "authorization_code", code: code ?? "" },
    });
    const person = await before.ask("GET", "api.ouraring.com/v2/usercollection/personal_info", {
      token: body.access_token,
    });
    expect(person.status).toBe(200);
  });
});

describe("password providers", () => {
  const { ask } = startSimulatedProviders();
  const post = (path: string, json: object) => ask("POST", `password.simulator/${path}`, { json });

  test("accept any name, but not the password `wrong`", async () => {
    expect((await post("whoop/login", { username: "ada@example.com", password: "x" })).body.state).toBe("success");
    expect((await post("whoop/login", { username: "ada@example.com", password: "wrong" })).status).toBe(401);
    expect((await post("whoop/login", { username: "ada@example.com" })).status).toBe(400);
  });

  test("ask one user for a second-factor code", async () => {
    const { body } = await post("whoop/login", { username: "mfa@example.com", password: "x" });
    expect(body.state).toBe("pending_provider_mfa");
    const { challenge } = body;
    expect((await post("whoop/mfa", { challenge, mfa_code: "654321" })).status).toBe(401);
    expect((await post("renpho/mfa", { challenge, mfa_code: "123456" })).status).toBe(400);
    expect((await post("whoop/mfa", { challenge, mfa_code: "123456" })).body.state).toBe("success");
  });

  test("accept an e-mail address without a password", async () => {
    expect((await post("freestyle_libre/email", { email: "ada@example.com" })).body.state).toBe("success");
    expect((await post("freestyle_libre/email", { email: "ada" })).status).toBe(400);
    expect((await post("whoop/email", { email: "ada@example.com" })).status).toBe(404);
  });
});
