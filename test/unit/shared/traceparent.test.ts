import { expect, test } from "vitest";
import { formatTraceparent, parseTraceparent } from "../../../lib/domain/shared/traceparent.ts";

const [TRACE, SPAN] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];

test("a traceparent of version 00 names trace and span, and whether the caller records the trace", () => {
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true });
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-02`)?.isSampled).toBe(false);
});

test("a later version may have further fields, version 00 may not", () => {
  expect(parseTraceparent(`cc-${TRACE}-${SPAN}-01-what-comes`)?.traceId).toBe(TRACE);
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-01-what-comes`)).toBeUndefined();
});

test.each([
  "",
  `ff-${TRACE}-${SPAN}-01`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}`,
  `cc-${TRACE}-${SPAN}-01.`,
  `00-${TRACE}-${SPAN}-01\n`,
])("%j is no traceparent", (text) => {
  expect(parseTraceparent(text)).toBeUndefined();
});

test("a formatted traceparent parses to the same", () => {
  const context = { traceId: TRACE, spanId: SPAN, isSampled: false };
  expect(parseTraceparent(formatTraceparent(context))).toEqual(context);
});
