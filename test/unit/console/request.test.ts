import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { request } from "../../../web/console/api/request.ts";
import { serviceNow } from "../../../web/console/api/service-clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Answers requests in order, the last answer again and again. @returns the methods of the requests. */
function answerWith(...answers: readonly Response[]): string[] {
  const methods: string[] = [];
  vi.stubGlobal("fetch", async (_path: string, { method = "" }: RequestInit) => {
    methods.push(method);
    return (answers[methods.length - 1] ?? answers.at(-1))?.clone();
  });
  return methods;
}

const refusal = (seconds: string) =>
  Response.json({ detail: "The team exceeded its limit." }, { status: 429, headers: { "retry-after": seconds } });

test("a request over the limit of the team is sent again after the wait that the service names", async () => {
  const methods = answerWith(refusal("1"), Response.json({ saved: true }));
  const answer = request("/v2/user", { method: "POST", body: {} });
  await vi.advanceTimersByTimeAsync(999);
  expect(methods).toEqual(["POST"]);
  await vi.advanceTimersByTimeAsync(1);
  expect([await answer, methods]).toEqual([{ saved: true }, ["POST", "POST"]]);
});

test("a request that stays over the limit fails after three waits", async () => {
  const methods = answerWith(refusal("1"));
  const failed = expect(request("/v2/user")).rejects.toMatchObject({ status: 429 });
  await vi.advanceTimersByTimeAsync(10_000);
  await failed;
  expect(methods).toHaveLength(4);
});

test.each(["60", "soon", ""])("a person decides about a wait of '%s' seconds", async (seconds) => {
  const methods = answerWith(refusal(seconds));
  await expect(request("/v2/user")).rejects.toMatchObject({ status: 429 });
  expect(methods).toHaveLength(1);
});

test("the present is that of the service, by the answers that no cache keeps", async () => {
  const dated = (ms: number, cache: string) =>
    Response.json({}, { headers: { date: new Date(ms).toUTCString(), "cache-control": cache } });
  const DAYS_12 = 12 * 86_400_000;
  const ahead = () => Math.abs(Math.round((serviceNow() - Date.now()) / 60_000));
  answerWith(dated(Date.now() + DAYS_12, "no-store"), dated(Date.now(), "max-age=60"), dated(Date.now(), "no-store"));
  await request("/console/session");
  expect(ahead()).toBe(DAYS_12 / 60_000);
  await request("/v2/providers");
  expect(ahead()).toBe(DAYS_12 / 60_000);
  await request("/console/session");
  expect(ahead()).toBe(0);
});
