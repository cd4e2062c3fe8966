import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readDeploymentApps } from "../../../lib/domain/linking/provider-apps.ts";
import { ProviderApps } from "../../../lib/runtime/linking/provider-apps.ts";
import { usePorts } from "../../../lib/runtime/ports.ts";

const MINUTE_MS = 60_000;
const oura = { client_id: "an id", client_secret: "hush-1" };

describe("the deployment's applications", () => {
  test("are read by provider, with what a provider needs besides", () => {
    const polar = { ...oura, push_secret: "hush-2", redirect_url: "https://example.com/back" };
    expect(readDeploymentApps(JSON.stringify({ oura, polar }))).toEqual(new Map(Object.entries({ oura, polar })));
    expect(readDeploymentApps("{}")).toEqual(new Map());
  });

  test.each<[string, unknown, string]>([
    ["without a secret", { oura: { client_id: "hush-1" } }, "oura (client_secret)"],
    ["with an empty secret", { polar: oura, oura: { ...oura, client_secret: "" } }, "oura (client_secret)"],
    ["with a field that nobody knows", { oura: { ...oura, "hush-1": "hush-1" } }, "oura (not an application, or more"],
    ["that is a text", { oura: "hush-1" }, "oura (not an application"],
    [
      "that sends users to a plain address",
      { oura: { ...oura, redirect_url: "http://hush-1" } },
      "oura (redirect_url)",
    ],
    ["two of them", { oura: { ...oura, client_id: 7 }, strava: {} }, "oura (client_id), strava (client_id)"],
    ["of a provider with a typing error", { ouraa: oura }, "ouraa is not connected by OAuth"],
    ["of a provider with logins", { whoop: oura }, "whoop is not connected by OAuth"],
    ["in the place of its provider", { "hush-1": oura }, "a name is no provider's"],
    ["as a list", [oura], "not by provider"],
  ])("%s are refused with the provider's name and without a value", (_, given, told) => {
    const wrong = readDeploymentApps(JSON.stringify(given));
    expect(wrong).toContain(told);
    expect(wrong).not.toContain("hush");
  });

  test("that are no JSON are refused without what they are", () => {
    expect(readDeploymentApps('{"oura": hush-1')).toBe("the applications at providers are no JSON");
  });
});

describe("an application that is asked for", () => {
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
  const secretOf = async (apps: ProviderApps) => (await apps.of("oura"))?.client_secret;
  beforeEach(() => {
    now = Date.UTC(2026, 0, 1);
    reads = 0;
    usePorts({ clock: { now: () => now } });
  });
  afterEach(() => usePorts(undefined));

  test("is read once in five minutes, and then as it is by then", async () => {
    set("first");
    const apps = new ProviderApps(read);
    expect([await secretOf(apps), await secretOf(apps), reads]).toEqual(["first", "first", 1]);
    set("second");
    now += 5 * MINUTE_MS - 1;
    expect([await secretOf(apps), reads]).toEqual(["first", 1]);
    now += 1;
    expect([await secretOf(apps), reads]).toEqual(["second", 2]);
  });

  test("is read at once when it is wanted anew, for all who ask afterwards", async () => {
    set("first");
    const apps = new ProviderApps(read);
    await secretOf(apps);
    set("second");
    expect((await apps.anew("oura"))?.client_secret).toBe("second");
    expect([await secretOf(apps), reads]).toEqual(["second", 2]);
  });

  test("is none where nobody has set any, which is looked for again later", async () => {
    text = undefined;
    const apps = new ProviderApps(read);
    expect([await apps.of("oura"), (await apps.all()).size, reads]).toEqual([undefined, 0, 1]);
    set("first");
    now += 5 * MINUTE_MS;
    expect(await secretOf(apps)).toBe("first");
  });

  test("is an error where it can not be read or understood, and not for longer than that", async () => {
    text = "{";
    const apps = new ProviderApps(read);
    await expect(apps.of("oura")).rejects.toThrow("are no JSON");
    set("first");
    expect(await secretOf(apps)).toBe("first");
    const closed = new ProviderApps(() => Promise.reject(new Error("denied")));
    await expect(closed.of("oura")).rejects.toThrow("denied");
  });
});
