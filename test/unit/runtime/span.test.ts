import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Log } from "../../../lib/runtime/log.ts";
import { continueTrace, currentTraceparent, outsideOfSpans, Span } from "../../../lib/runtime/span.ts";

const [TRACE, PARENT] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
const CALLER = `00-${TRACE}-${PARENT}-01`;

const lines: Record<string, unknown>[] = [];
beforeEach(() => {
  lines.length = 0;
  vi.spyOn(console, "info").mockImplementation((line) => void lines.push(JSON.parse(line)));
});
afterEach(() => void vi.restoreAllMocks());

const log = new Log({ operation: "storeBatch", trace_id: TRACE });

test("a span continues the trace of its caller, and what it sends names the span", async () => {
  const span = new Span(CALLER);
  const sent = await span.record(log, async () => currentTraceparent());
  expect(sent).toBe(`00-${TRACE}-${span.context.spanId}-01`);
  expect(lines).toMatchObject([
    { message: "span", trace_id: TRACE, span_id: span.context.spanId, parent_id: PARENT, outcome: "ok" },
  ]);
});

test("a failed span logs its end and passes the error on", async () => {
  await expect(new Span().record(log, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(lines).toMatchObject([{ outcome: "failed" }]);
});

test("spans without a caller begin different traces", () => {
  const [one, two] = [new Span(), new Span("not a traceparent")];
  expect(one.context.traceId).toMatch(/^[\da-f]{32}$/);
  expect(one.context.traceId).not.toBe(two.context.traceId);
});

test("a trace that its caller does not record has no log lines", async () => {
  await new Span(CALLER.replace(/1$/, "0")).record(log, async () => undefined);
  expect(lines).toEqual([]);
});

test("an event of another trace keeps its own trace, one of this trace continues here", () => {
  const span = new Span(CALLER);
  const other = CALLER.replace("4b", "aa");
  const [own, foreign, unknown] = span.run(() => [CALLER, other, undefined].map(continueTrace));
  expect(own).toBe(`00-${TRACE}-${span.context.spanId}-01`);
  expect(foreign).toBe(other);
  expect(unknown).toBe(own);
  expect(continueTrace(undefined)).toBeUndefined();
});

test("work for several traces belongs to none", () => {
  expect(new Span(CALLER).run(() => outsideOfSpans(currentTraceparent))).toBeUndefined();
});
