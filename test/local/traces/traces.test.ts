import { describe, expect, test } from "vitest";
import { TraceLog } from "../../../lib/local/traces/trace-log.ts";
import { renderTrace } from "../../../lib/local/traces/trace-page.ts";
import { arrangeWaterfall, formatWaterfall } from "../../../lib/local/traces/waterfall.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const line = (span_id: string, more: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({
    ...{ message: "span", operation: `step-${span_id}`, trace_id: TRACE, span_id, outcome: "ok", duration_ms: 100 },
    start_at: "2026-05-01T08:00:00.000Z",
    ...more,
  });

/** A route, its consumer a second later, and a further consumer whose parent is unknown. */
function recordTrace() {
  const traces = new TraceLog();
  traces.take(line("b", { parent_id: "a", start_at: "2026-05-01T08:00:01.000Z", outcome: "failed" }));
  traces.take(line("a", { request_id: "request-1", status: 202 }));
  traces.take(line("c", { parent_id: "lost", start_at: "2026-05-01T08:00:00.500Z" }));
  return traces;
}
const trace = recordTrace().find(TRACE) ?? { trace_id: "", spans: [] };

describe("the log of traces", () => {
  test("finds a trace by its id and by that of a request, in the order of its spans", () => {
    expect(trace.spans.map(({ span_id }) => span_id)).toEqual(["a", "c", "b"]);
    expect(recordTrace().find("request-1")).toEqual(trace);
    expect(recordTrace().find("request-2")).toBeUndefined();
  });

  test("ignores other log lines and broken ones", () => {
    const traces = new TraceLog();
    for (const text of ["", '{"message":"span"', '{"message":"span","span_id":1}', '{"message":"stored"}'])
      traces.take(text);
    expect(traces.list(10)).toEqual([]);
  });

  test("forgets the oldest traces and drops further spans of a long one", () => {
    const traces = new TraceLog();
    for (let number = 0; number < 2_001; number++) traces.take(line("a", { trace_id: String(number) }));
    for (let number = 0; number < 1_001; number++) traces.take(line(String(number), { trace_id: "long" }));
    expect(traces.find("0")).toBeUndefined();
    expect(traces.find("long")?.spans).toHaveLength(1_000);
  });
});

test("a waterfall shows each parent before its children, with the time since the start", () => {
  const { rows, durationMs } = arrangeWaterfall(trace);
  expect(rows.map(({ span, depth, startMs }) => [span.span_id, depth, startMs])).toEqual([
    ["a", 0, 0],
    ["b", 1, 1_000],
    ["c", 0, 500],
  ]);
  expect(durationMs).toBe(1_100);
  const [title, ...lines] = formatWaterfall(trace).split("\n");
  expect(title).toBe(`trace ${TRACE}: 3 spans in 1100 ms`);
  expect(lines[0]).toMatch(/^step-a +\+0 +100\.0 ms 202 +====$/);
  expect(lines[1]).toMatch(/^ {2}step-b +\+1000 +100\.0 ms failed +====$/);
});

test("the page escapes what a log line contains", () => {
  const traces = new TraceLog();
  traces.take(line("a", { operation: "<script>", request_id: '"&' }));
  const html = renderTrace(traces.find(TRACE) ?? trace);
  expect(html).not.toContain("<script>");
  expect(html).toContain("&lt;script&gt;");
  expect(html).toContain("&quot;&amp;");
});
