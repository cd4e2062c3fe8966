import { expect, test } from "vitest";
import { daysToRead, resolveTimeframe } from "../../../lib/domain/queries/timeframe.ts";

test.each(["0001-01-01", "1899-12-14", "2999-12-31"])(
  "the days to read of a timeframe at %s end after their start",
  (anchor) => {
    const span = resolveTimeframe({ type: "relative", anchor, past: { value: 1, unit: "week" } });
    expect(span.from <= span.to).toBe(true);
    const { first, last } = daysToRead("sleep", span, {});
    expect(first).toBeLessThan(last);
  },
);
