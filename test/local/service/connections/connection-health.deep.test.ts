// @module-tag deep
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { connectAccount, setPullDays } from "./link-helpers.ts";
import { PushedAccount } from "./pushed-account.ts";
import { SimulatedPhone } from "./simulated-phone.ts";

const HOUR_MS = 3_600_000;
const DAYS = 30;
const STEPS_PER_DAY = 4;
const STEP_MS = 6 * HOUR_MS;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
}, 120_000);
afterAll(() => service.stop());

interface HealthEvent {
  readonly type: string;
  readonly provider: string;
  readonly reason: string;
  readonly since: number;
  readonly recovered: number;
}

/** Reads what the feed says about the health of connections. */
async function listHealthEvents(): Promise<HealthEvent[]> {
  const found: HealthEvent[] = [];
  for (let after = 0; ; ) {
    const { events, next } = (await service.call("GET", `/v2/events?after=${after}&limit=500`)).body;
    if (events.length === 0) return found;
    after = next;
    for (const { body } of events) {
      const type = /^provider\.connection\.(stale|recovered)$/.exec(body.event_type)?.[1];
      const { provider, reason, stale_since, recovered_at } = body.data;
      if (type)
        found.push({ type, provider, reason, since: Date.parse(stale_since), recovered: Date.parse(recovered_at) });
    }
  }
}

const stalenessOf = async (userId: string, provider: string) => {
  const { providers } = (await service.call("GET", `/v2/user/providers/${userId}`)).body;
  return providers.find(({ slug }: { slug: string }) => slug === provider)?.staleness;
};
const listStale = async (): Promise<string[]> =>
  (await service.call("GET", "/v2/introspect/stale_connections")).body.connections.map(
    ({ provider }: { provider: string }) => provider,
  );

test("30 days of two phones and three pushing providers: losses are found within the rhythm, without a false alarm", {
  timeout: 1_200_000,
}, async () => {
  await service.advance(86_400_000 - (service.cloud.clock.now() % 86_400_000));
  const startMs = service.cloud.clock.now();
  const owner = await service.createUser("with two phones and three accounts");
  // A weekend without the phone, and six days of an app that the system stopped.
  const android = new SimulatedPhone(service, owner, "health_connect", {
    offset: "-10:00",
    isSilent: (day, step) => (day > 4 && day < 7) || (day === 4 && step > 1) || (day >= 12 && day < 18),
  });
  // Five days without the watch, then the user disconnects the phone.
  const iphone = new SimulatedPhone(service, owner, "apple_health_kit", {
    offset: "+13:00",
    isSilent: (day, step) => step !== (day * 7) % 4,
    isWorn: (day) => day < 5 || day > 9,
  });
  const accounts = [
    new PushedAccount(service, "oura", { kind: "sleep", lost: [10, 16], unworn: [3, 7] }),
    new PushedAccount(service, "whoop_v2", { kind: "sleep", lost: [17, 24], unworn: [8, 11], lostOnce: 5 }),
    new PushedAccount(service, "withings", { kind: "44", lost: [12, 15], unworn: [26, 28] }),
  ];
  for (const account of accounts) {
    await setPullDays(service, 2, account.slug);
    await account.subscribe();
    await connectAccount(service, owner, account.account, account.slug);
  }
  const seen: string[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    for (let step = 0; step < STEPS_PER_DAY; step += 1) {
      for (const phone of [android, iphone]) await phone.sync(day, step);
      for (const account of accounts) await account.push(day, step);
      if (step === 3) seen.push((await listStale()).toSorted().join(" "));
      await service.advance(STEP_MS);
    }
    if (day === 19) await iphone.disconnect();
    if (day === 24)
      await service.call("POST", "/v2/link/bulk_pause", { body: { user_ids: [owner], provider: "withings" } });
  }
  const healthEvents = await listHealthEvents();
  const figures = [android, ...accounts].map((one) => {
    const [stale, ...more] = healthEvents.filter(({ type, provider }) => type === "stale" && provider === one.slug);
    const recovered = healthEvents.filter(({ type, provider }) => type === "recovered" && provider === one.slug);
    const afterMs = (stale?.since ?? Number.NaN) - one.brokenAtMs;
    const recoveredAfterMs = (recovered[0]?.recovered ?? Number.NaN) - one.mendedAtMs;
    return {
      slug: one.slug,
      reason: stale?.reason,
      afterMs,
      more: more.length,
      recovered: recovered.length,
      recoveredAfterMs,
    };
  });
  console.info(
    figures
      .map(({ slug, reason, afterMs, recoveredAfterMs }) => {
        const hours = (ms: number) => (ms / HOUR_MS).toFixed(1);
        return `${slug}: ${reason} found after ${hours(afterMs)} h, recovery sent after ${hours(recoveredAfterMs)} h`;
      })
      .join("\n"),
  );
  for (const { reason, afterMs, more, recovered, recoveredAfterMs } of figures) {
    expect(more).toBe(0);
    expect(recovered).toBe(1);
    expect(afterMs).toBeGreaterThan(0);
    expect(afterMs).toBeLessThanOrEqual((reason === "silent" ? 72 : 60) * HOUR_MS + 5 * 60_000);
    expect(recoveredAfterMs).toBeLessThanOrEqual(5 * 60_000);
  }
  expect(healthEvents.filter(({ provider }) => provider === "apple_health_kit")).toEqual([]);
  expect(healthEvents).toHaveLength(2 * figures.length);
  // The lists show what the events say, and nothing once all is well.
  expect(new Set(seen.flatMap((one) => one.split(" ").filter(Boolean)))).toEqual(
    new Set(figures.map(({ slug }) => slug)),
  );
  expect(seen.at(-1)).toBe("");
  expect(await stalenessOf(owner, "health_connect")).toBeNull();
  expect(service.cloud.clock.now() - startMs).toBeGreaterThanOrEqual(DAYS * 24 * HOUR_MS);
});
