import { describe, expect, test } from "vitest";
import { type EndpointHealth, isPrompt, isSlow, speedAfter } from "../../../lib/events/webhooks/endpoint-health.ts";

const NOW = Date.UTC(2026, 4, 1, 8);
const MINUTE_MS = 60_000;
const unknown: EndpointHealth = { team_id: "t", endpoint_id: "e" };
const iso = (minutes: number) => new Date(NOW + minutes * MINUTE_MS).toISOString();
const prompt: EndpointHealth = { ...unknown, prompt_from: iso(-1) };
const slow: EndpointHealth = { ...unknown, slow_until: iso(10), slow_ms: 15_000 };

describe("the speed of an endpoint", () => {
  test("is unknown before its first attempt, and then prompt, slow or neither", () => {
    expect([isPrompt(unknown, NOW), isSlow(unknown, NOW)]).toEqual([false, false]);
    expect(speedAfter(unknown, 999, NOW)).toEqual({ prompt_from: iso(0) });
    expect(speedAfter(unknown, 1_000, NOW)).toBeUndefined();
    expect(speedAfter(unknown, 4_999, NOW)).toBeUndefined();
    expect(speedAfter(unknown, 5_000, NOW)).toEqual({ slow_until: iso(10), slow_ms: 5_000 });
  });

  test("stays prompt without a record", () => {
    expect(isPrompt(prompt, NOW)).toBe(true);
    expect(speedAfter(prompt, 0, NOW)).toBeUndefined();
    expect(speedAfter(prompt, 999, NOW + 24 * 60 * MINUTE_MS)).toBeUndefined();
  });

  test("is not prompt for a minute after an attempt of a second", () => {
    const lagging = { ...prompt, ...speedAfter(prompt, 1_000, NOW) };
    expect(isPrompt(lagging, NOW + MINUTE_MS - 1)).toBe(false);
    expect(isPrompt(lagging, NOW + MINUTE_MS)).toBe(true);
    // A prompt attempt in between does not end the minute, so an endpoint cannot be both.
    expect(speedAfter(lagging, 10, NOW + 1_000)).toBeUndefined();
    expect(speedAfter(lagging, 1_000, NOW + 1_000)).toBeUndefined();
  });

  test("is slow for ten minutes after an attempt of five seconds, and then unknown", () => {
    expect([isPrompt({ ...slow, prompt_from: iso(-1) }, NOW), isSlow(slow, NOW)]).toEqual([false, true]);
    expect(speedAfter(slow, 10, NOW)).toBeUndefined();
    expect(speedAfter(slow, 15_000, NOW)).toBeUndefined();
    expect(speedAfter(slow, 15_000, NOW + MINUTE_MS + 1)).toMatchObject({ slow_ms: 15_000 });
    expect([isPrompt(slow, NOW + 10 * MINUTE_MS), isSlow(slow, NOW + 10 * MINUTE_MS)]).toEqual([false, false]);
  });
});
