import { afterEach, beforeEach, expect, test } from "vitest";
import { freestyleLibre } from "../../../lib/connectors/freestyle-libre/freestyle-libre.ts";
import { MG_DL_PER_MMOL_L } from "../../../lib/connectors/glucose-unit.ts";
import { ProviderClient } from "../../../lib/connectors/provider-client.ts";
import { ports, setPorts } from "../../../lib/runtime/ports.ts";
import { providerFetch, selectProviderFetch } from "../../../lib/services/connections/providers/provider-fetch.ts";
import { loadDemoProviders } from "../../../lib/simulators/load-demo-providers.ts";
import { SyntheticPerson } from "../../../lib/simulators/providers/synthetic-data/synthetic-person.ts";

const NOW = Date.UTC(2026, 4, 20, 12);
const get = { method: "GET", headers: {} };
/** Requests that leave the process. */
let sent: number;
beforeEach(() => {
  sent = 0;
  const outbound = () => {
    sent++;
    return Promise.reject(new Error("nobody is there"));
  };
  setPorts({ clock: { now: () => NOW }, outbound });
});
afterEach(() => setPorts(undefined));

test.each([
  "https://api.ouraring.com/v2/usercollection/sleep",
  "https://www.strava.com/api/v3/athlete",
  "https://example.com/",
  "http://127.0.0.1:1/",
])("a demo connection that calls %s sends no external request", async (url) => {
  const response = await selectProviderFetch({ demoProviders: loadDemoProviders }, { demo: true })(url, get);
  expect([response.status, sent]).toEqual([url.includes("ouraring") ? 401 : 404, 0]);
});

test.each([{ demo: false }, {}, { demo: undefined }])(
  "a connection marked %j loads no simulated provider",
  async (mark) => {
    let loads = 0;
    const load = () => {
      loads++;
      return loadDemoProviders(() => NOW);
    };
    const way = selectProviderFetch({ demoProviders: load }, mark);
    expect(way).toBe(providerFetch);
    await expect(way("https://api.ouraring.com/v2/usercollection/sleep", get)).rejects.toThrow("did not answer");
    expect([loads, sent]).toEqual([0, 1]);
  },
);

test("a sensor returns one reading per 15 minutes in mmol/L, with its device", async () => {
  const fetch = selectProviderFetch({ demoProviders: loadDemoProviders }, { demo: true });
  const { accountId, session } = await freestyleLibre.signIn(fetch, "ada@example.com");
  const client = new ProviderClient({ fetch, accessToken: async () => session, now: () => NOW });
  const pull = async (name: string, startMs: number, endMs = NOW + 86_400_000) =>
    (await Array.fromAsync(freestyleLibre.pull(name, { startMs, endMs }, client))).map(({ resources }) => resources);
  const [{ glucose = [] } = {}] = await pull("glucose", NOW - 3 * 86_400_000);
  const plan = new SyntheticPerson("ada");
  const measured = plan
    .days(NOW - 3 * 86_400_000, NOW)
    .flatMap((day) => plan.glucose(day))
    .filter(({ atMs }) => NOW - 3 * 86_400_000 <= atMs && atMs < NOW && atMs % 900_000 === 0);
  expect(glucose).toEqual(
    measured
      .map(({ atMs, value }) => ({ timestamp: expect.any(String), value: value / MG_DL_PER_MMOL_L, atMs }))
      .map(({ atMs, ...one }) => ({
        ...one,
        timestamp: expect.stringContaining(new Date(atMs).toISOString().slice(0, 19)),
      })),
  );
  expect([glucose.length, accountId]).toEqual([3 * 96, expect.stringMatching(/^[0-9a-f]{16}$/)]);
  const [{ devices } = {}] = await pull("device", NOW);
  expect(devices).toMatchObject([{ device_manufacturer: "Abbott", device_model: "FreeStyle Libre 3" }]);
});

test("a sensor rejects requests without a session or with a forged session", async () => {
  const fetch = selectProviderFetch({ demoProviders: loadDemoProviders }, { demo: true });
  const url = "https://password.simulator/freestyle_libre/sensor";
  for (const authorization of [
    "",
    "Bearer x.y",
    `Bearer ${Buffer.from('["freestyle_libre","ada"]').toString("base64url")}.`,
  ]) {
    expect((await fetch(url, { method: "GET", headers: { authorization } })).status).toBe(401);
  }
  expect(ports().clock.now()).toBe(NOW);
});
