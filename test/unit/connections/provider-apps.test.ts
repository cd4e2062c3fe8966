import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseDeploymentApps } from "../../../lib/domain/connections/providers/provider-apps.ts";
import { setPorts } from "../../../lib/runtime/ports.ts";
import { ProviderApps } from "../../../lib/runtime/provider-apps.ts";

const MINUTE_MS = 60_000;
const oura = { client_id: "an id", client_secret: "hush-1" };

describe("the applications of the deployment", () => {
  test("parse by provider, with the extra fields of a provider", () => {
    const polar = {
      ...oura,
      push_secret: "hush-2",
      redirect_url: "https://example.com/back",
      keys: { sv_spo2: "hush-3" },
    };
    expect(parseDeploymentApps(JSON.stringify({ oura, polar }))).toEqual(new Map(Object.entries({ oura, polar })));
    expect(parseDeploymentApps("{}")).toEqual(new Map());
  });

  test.each<[string, unknown, string]>([
    ["without a secret", { oura: { client_id: "hush-1" } }, "oura (client_secret)"],
    ["with an empty secret", { polar: oura, oura: { ...oura, client_secret: "" } }, "oura (client_secret)"],
    ["with an unknown field", { oura: { ...oura, "hush-1": "hush-1" } }, "oura (not an application, or unknown"],
    ["with a malformed name of a key", { oura: { ...oura, keys: { "hush-2": "hush-1" } } }, "oura (keys)"],
    ["that are a string", { oura: "hush-1" }, "oura (not an application"],
    [
      "that redirect users to a plain HTTP URL",
      { oura: { ...oura, redirect_url: "http://hush-1" } },
      "oura (redirect_url)",
    ],
    [
      "with two invalid entries",
      { oura: { ...oura, client_id: 7 }, strava: {} },
      "oura (client_id), strava (client_id)",
    ],
    ["of a misspelled provider", { ouraa: oura }, "ouraa is not connected by OAuth"],
    ["of a provider with logins", { whoop: oura }, "whoop is not connected by OAuth"],
    ["with a secret as the provider name", { "hush-1": oura }, "a name is not a provider"],
    ["as a list", [oura], "not an object by provider"],
  ])("%s are rejected with the provider's name and without a value", (_, given, reason) => {
    const wrong = parseDeploymentApps(JSON.stringify(given));
    expect(wrong).toContain(reason);
    expect(wrong).not.toContain("hush");
  });

  test("that are not valid JSON are rejected without their content", () => {
    expect(parseDeploymentApps('{"oura": hush-1')).toBe("the applications at providers are not valid JSON");
  });
});

describe("a requested application", () => {
  let now = 0;
  let text: string | undefined;
  let reads = 0;
  const read = async () => {
    reads += 1;
    return text;
  };
  const set = (client_secret: string) => {
    text = JSON.stringify({ oura: { ...oura, client_secret } });
  };
  const secretOf = async (apps: ProviderApps) => (await apps.get("oura"))?.client_secret;
  beforeEach(() => {
    now = Date.UTC(2026, 0, 1);
    reads = 0;
    setPorts({ clock: { now: () => now } });
  });
  afterEach(() => setPorts(undefined));

  test("is cached for five minutes and then read again", async () => {
    set("first");
    const apps = new ProviderApps(read);
    expect([await secretOf(apps), await secretOf(apps), reads]).toEqual(["first", "first", 1]);
    set("second");
    now += 5 * MINUTE_MS - 1;
    expect([await secretOf(apps), reads]).toEqual(["first", 1]);
    now += 1;
    expect([await secretOf(apps), reads]).toEqual(["second", 2]);
  });

  test("is read at once on a forced refresh, which updates the cache", async () => {
    set("first");
    const apps = new ProviderApps(read);
    await secretOf(apps);
    set("second");
    expect((await apps.reload("oura"))?.client_secret).toBe("second");
    expect([await secretOf(apps), reads]).toEqual(["second", 2]);
  });

  test("is absent when none is configured, and is read again later", async () => {
    text = undefined;
    const apps = new ProviderApps(read);
    expect([await apps.get("oura"), (await apps.all()).size, reads]).toEqual([undefined, 0, 1]);
    set("first");
    now += 5 * MINUTE_MS;
    expect(await secretOf(apps)).toBe("first");
  });

  test("fails when it is unreadable or invalid, and the error is not cached", async () => {
    text = "{";
    const apps = new ProviderApps(read);
    await expect(apps.get("oura")).rejects.toThrow("are not valid JSON");
    set("first");
    expect(await secretOf(apps)).toBe("first");
    const closed = new ProviderApps(() => Promise.reject(new Error("denied")));
    await expect(closed.get("oura")).rejects.toThrow("denied");
  });
});
