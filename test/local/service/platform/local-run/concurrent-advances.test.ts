import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../../support/service.ts";

/** Advances of the clock at the same time, as several terminals request them. */

const HOUR_MS = 3_600_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const advance = async (advance_seconds: number): Promise<number> => {
  const { body } = await service.call("POST", "/_local/clock", { body: { advance_seconds } });
  return Date.parse(body.now);
};
const storedOffsetMs = () => (service.data.read("clock.json") as { offset_ms: number }).offset_ms;

test("advances at the same time add up, and each answers its own time", async () => {
  const before = service.cloud.clock.now();
  const reached = await Promise.all([1000, 1000, 1000].map(advance));
  const movedS = reached.map((now) => (now - before) / 1000).toSorted((a, b) => a - b);
  for (const [place, seconds] of [1000, 2000, 3000].entries()) {
    expect(movedS[place]).toBeGreaterThanOrEqual(seconds);
    expect(movedS[place]).toBeLessThan(seconds + 300);
  }
});

test("a short advance during a long one leaves the target of the long one in the file for a restart", async () => {
  const before = service.cloud.clock.now();
  const beginMs = service.cloud.clock.offsetMs;
  const { promise, resolve } = Promise.withResolvers<void>();
  const long = service.cloud.advance(HOUR_MS, () => promise);
  const short = service.cloud.advance(1_000, async () => {});
  await new Promise((next) => setTimeout(next, 50));
  expect(storedOffsetMs()).toBeGreaterThanOrEqual(beginMs + HOUR_MS);
  resolve();
  await long;
  expect((await short) - before).toBeGreaterThanOrEqual(HOUR_MS + 1_000);
  expect(storedOffsetMs()).toBe(service.cloud.clock.offsetMs);
});

test("a failed advance does not prevent the next one, which starts where it ended", async () => {
  const before = service.cloud.clock.now();
  await expect(service.cloud.advance(1_000, () => Promise.reject(new Error("not settled")))).rejects.toThrow("settled");
  expect((await service.cloud.advance(1_000, async () => {})) - before).toBeGreaterThanOrEqual(1_000);
  expect(storedOffsetMs()).toBe(service.cloud.clock.offsetMs);
});
