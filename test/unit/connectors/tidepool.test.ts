import { expect, test } from "vitest";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { toCarbohydrates, toGlucose, toInsulin } from "../../../lib/connectors/tidepool/map-data.ts";
import { tidepool } from "../../../lib/connectors/tidepool/tidepool.ts";
import { createConnection, expectedBetween, expectRecords, windowBetween } from "./simulated-connection.ts";

const [FROM, TO] = ["2026-04-20", "2026-05-19"];
const month = windowBetween(FROM, TO);
const time = "2026-05-18T10:00:00Z";

test("Tidepool provides glucose, insulin and carbohydrates of 30 days", { tags: "deep" }, async () => {
  const { provider, pull, accountId } = await createConnection(tidepool);
  expect(accountId).toMatch(/^[0-9a-f-]{36}$/);
  provider.setSwitches({ duplicates: true });
  const truth = expectedBetween(provider, FROM, TO);
  const found = await pull(month, "glucose", "insulin_injection", "carbohydrates");
  expect(truth.glucose?.length).toBeGreaterThan(8_000);
  expectRecords(found.glucose, truth.glucose, "timestamp");
  expectRecords(found.insulin_injection, truth.insulin_injection, "start");
  expectRecords(found.carbohydrates, truth.carbohydrates, "start");
});

test("the access token has a header of its own, also after its renewal", async () => {
  const { provider, server, pull, refreshes } = await createConnection(tidepool);
  provider.tokens.expireAccessTokens();
  await pull(windowBetween(TO, TO), "carbohydrates");
  expect(refreshes()).toBe(1);
  const asked = server.requests.filter(({ path }) => path.startsWith("/data/"));
  expect(asked.length).toBeGreaterThan(1);
  for (const { headers } of asked) {
    expect(headers.authorization).toBeUndefined();
    expect(headers["x-tidepool-session-token"]).toBeTruthy();
  }
});

test("limits delay requests, and nobody renews ended access", async () => {
  const { provider, pull, clock } = await createConnection(tidepool);
  provider.setSwitches({ rate_limited: 1 });
  const refused = await pull(month, "glucose").catch((error) => error);
  expect(refused).toBeInstanceOf(RateLimited);
  expect(refused.retryAtMs).toBeGreaterThan(clock.now());
  provider.tokens.revoke("ada");
  await expect(pull(month, "glucose")).rejects.toThrow(AccessEnded);
});

test("units, the parts of a bolus and the type of insulin are those of the record", () => {
  expect(toGlucose({ type: "cbg", time, value: 180.156, units: "mg/dL" })).toMatchObject([{ value: 10 }]);
  expect(toGlucose({ type: "cbg", time, value: 5.5, units: "furlong" })).toEqual([]);
  const bolus = { type: "bolus", time, timezoneOffset: -420 };
  expect(toInsulin({ ...bolus, normal: 1, extended: 2, duration: 3_600_000 })).toEqual([
    {
      start: "2026-05-18T10:00:00.000Z",
      end: "2026-05-18T11:00:00.000Z",
      timezone_offset: -25_200,
      value: 3,
      type: "rapid_acting",
      delivery_mode: "bolus",
    },
  ]);
  expect(toInsulin({ ...bolus, normal: 1, extended: 0 })).toMatchObject([{ value: 1, delivery_form: "standard" }]);
  expect(toInsulin(bolus)).toEqual([]);
  const formulation = { simple: { actingType: "long" } };
  expect(toInsulin({ ...bolus, type: "insulin", dose: { total: 9 }, formulation })).toMatchObject([
    { value: 9, type: "long_acting" },
  ]);
  expect(toCarbohydrates({ type: "wizard", time, carbInput: 3, carbUnits: "exchanges" })).toEqual([]);
  expect(toCarbohydrates({ type: "wizard", time, carbInput: 0 })).toEqual([]);
});
