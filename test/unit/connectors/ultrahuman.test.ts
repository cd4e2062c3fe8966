import { describe, expect, test } from "vitest";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { ultrahuman } from "../../../lib/connectors/ultrahuman/ultrahuman.ts";
import { connected, expectTold, hypnogramOf, truthOf, windowOf } from "./simulated-connection.ts";

const [FROM, TO] = ["2026-04-20", "2026-05-19"];
const month = windowOf(FROM, TO);

describe("Ultrahuman", () => {
  test("provides ring and sensor data of 30 days, day by day, in the service's units", async () => {
    const { provider, pull, accountId } = await connected(ultrahuman);
    expect(accountId).toMatch(/^[0-9a-f-]{36}$/);
    const truth = truthOf(provider, FROM, TO);
    const found = await pull(month, "activity", "glucose");
    expectTold(found.activity, truth.activity, "calendar_date");
    expectTold(found.sleep, truth.sleep, "calendar_date");
    expectTold(hypnogramOf(found), truth.hypnogram, "start");
    expectTold(found.heartrate, truth.heartrate, "timestamp");
    expectTold(found.hrv, truth.hrv, "timestamp");
    expectTold(found.glucose, truth.glucose, "timestamp");
    const days = found.vo2_max?.map(({ value }) => ({ value }));
    expect(days?.slice(0, 30)).toEqual(truth.vo2_max?.map(({ value }) => ({ value })));
  });

  test("keeps working through token rotation", async () => {
    const { provider, pull, tokens } = await connected(ultrahuman);
    const first = { ...tokens };
    for (const _ of [1, 2]) {
      provider.tokens.expireAccess();
      await pull(windowOf(TO, TO), "glucose");
    }
    expect(tokens.refresh).not.toBe(first.refresh);
    expect(provider.tokens.refresh(first.refresh)).toBeUndefined();
  });

  test("waits for the provider's retry time and stops when access ends", async () => {
    const { provider, pull, clock } = await connected(ultrahuman);
    provider.switch({ rate_limited: 1 });
    const refused = await pull(month, "glucose").catch((error) => error);
    expect(refused).toBeInstanceOf(RateLimited);
    expect(refused.retryAtMs).toBeGreaterThan(clock.now());
    provider.tokens.revoke("ada");
    await expect(pull(month, "glucose")).rejects.toThrow(AccessEnded);
  });

  test("corrects earlier records", async () => {
    const { provider, pull } = await connected(ultrahuman);
    provider.switch({ revision: 1, duplicates: true });
    const found = await pull(month, "activity");
    expectTold(found.activity, truthOf(provider, FROM, TO).activity, "calendar_date");
    expectTold(found.sleep, truthOf(provider, FROM, TO).sleep, "calendar_date");
  });
});
