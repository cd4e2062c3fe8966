import { describe, expect, test } from "vitest";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { ultrahuman } from "../../../lib/connectors/ultrahuman/ultrahuman.ts";
import {
  createConnection,
  expectedBetween,
  expectRecords,
  sleepStages,
  windowBetween,
} from "./simulated-connection.ts";

const [FROM, TO] = ["2026-04-20", "2026-05-19"];
const month = windowBetween(FROM, TO);

describe("Ultrahuman", () => {
  test("provides ring and sensor data of 30 days, day by day, in the service's units", { tags: "deep" }, async () => {
    const { provider, pull, accountId } = await createConnection(ultrahuman);
    expect(accountId).toMatch(/^[0-9a-f-]{36}$/);
    const truth = expectedBetween(provider, FROM, TO);
    const found = await pull(month, "activity", "glucose");
    expectRecords(found.activity, truth.activity, "calendar_date");
    expectRecords(found.sleep, truth.sleep, "calendar_date");
    expectRecords(sleepStages(found), truth.hypnogram, "start");
    expectRecords(found.heartrate, truth.heartrate, "timestamp");
    expectRecords(found.hrv, truth.hrv, "timestamp");
    expectRecords(found.glucose, truth.glucose, "timestamp");
    const days = found.vo2_max?.map(({ value }) => ({ value }));
    expect(days?.slice(0, 30)).toEqual(truth.vo2_max?.map(({ value }) => ({ value })));
  });

  test("keeps working through token rotation", async () => {
    const { provider, pull, tokens } = await createConnection(ultrahuman);
    const first = { ...tokens };
    for (const _ of [1, 2]) {
      provider.tokens.expireAccessTokens();
      await pull(windowBetween(TO, TO), "glucose");
    }
    expect(tokens.refresh).not.toBe(first.refresh);
    expect(provider.tokens.refresh(first.refresh)).toBeUndefined();
  });

  test("waits for the provider's retry time and stops when access ends", async () => {
    const { provider, pull, clock } = await createConnection(ultrahuman);
    provider.setSwitches({ rate_limited: 1 });
    const refused = await pull(month, "glucose").catch((error) => error);
    expect(refused).toBeInstanceOf(RateLimited);
    expect(refused.retryAtMs).toBeGreaterThan(clock.now());
    provider.tokens.revoke("ada");
    await expect(pull(month, "glucose")).rejects.toThrow(AccessEnded);
  });

  test("corrects earlier records", async () => {
    const { provider, pull } = await createConnection(ultrahuman);
    provider.setSwitches({ revision: 1, duplicates: true });
    const found = await pull(month, "activity");
    expectRecords(found.activity, expectedBetween(provider, FROM, TO).activity, "calendar_date");
    expectRecords(found.sleep, expectedBetween(provider, FROM, TO).sleep, "calendar_date");
  });
});
