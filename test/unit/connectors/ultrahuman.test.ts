import { describe, expect, test } from "vitest";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { ultrahuman } from "../../../lib/connectors/ultrahuman/ultrahuman.ts";
import { connected, expectTold, hypnogramOf, truthOf, windowOf } from "./simulated-connection.ts";

const [FROM, TO] = ["2026-04-20", "2026-05-19"];
const month = windowOf(FROM, TO);

describe("Ultrahuman", () => {
  test("tells ring and sensor of 30 days as they are known, day by day, in our units", async () => {
    const { desk, pull, accountId } = await connected(ultrahuman);
    expect(accountId).toMatch(/^[0-9a-f-]{36}$/);
    const truth = truthOf(desk, FROM, TO);
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

  test("survives the rotation of its tokens", async () => {
    const { desk, pull, tokens } = await connected(ultrahuman);
    const first = { ...tokens };
    for (const _ of [1, 2]) {
      desk.tokens.expireAccess();
      await pull(windowOf(TO, TO), "glucose");
    }
    expect(tokens.refresh).not.toBe(first.refresh);
    expect(desk.tokens.refresh(first.refresh)).toBeUndefined();
  });

  test("waits as it is told, and ends with access", async () => {
    const { desk, pull, clock } = await connected(ultrahuman);
    desk.switch({ rate_limited: 1 });
    const refused = await pull(month, "glucose").catch((error) => error);
    expect(refused).toBeInstanceOf(RateLimited);
    expect(refused.retryAtMs).toBeGreaterThan(clock.now());
    desk.tokens.revoke("ada");
    await expect(pull(month, "glucose")).rejects.toThrow(AccessEnded);
  });

  test("corrects what it told", async () => {
    const { desk, pull } = await connected(ultrahuman);
    desk.switch({ revision: 1, duplicates: true });
    const found = await pull(month, "activity");
    expectTold(found.activity, truthOf(desk, FROM, TO).activity, "calendar_date");
    expectTold(found.sleep, truthOf(desk, FROM, TO).sleep, "calendar_date");
  });
});
