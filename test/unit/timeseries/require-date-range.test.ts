import { expect, test } from "vitest";
import { rangeQuery } from "../../../lib/domain/timeseries/range-query.ts";
import { ValidationFailed } from "../../../lib/runtime/errors.ts";
import { requireDateRange } from "../../../lib/services/timeseries/require-date-range.ts";

const UNREADABLE = "Not a date or ISO 8601 date-time between 1900 and 2999";

test.each([
  [{ start_date: "1800-01-01" }, "start_date", UNREADABLE],
  [{ start_date: "tomorrow" }, "start_date", UNREADABLE],
  [{ start_date: "2026-01-02", end_date: "3000-01-01" }, "end_date", UNREADABLE],
  [{ start_date: "2026-01-02", end_date: "2026-01-01" }, "end_date", "Before start_date"],
])("the refusal of %j names %s and says: %s", (query, field, msg) => {
  const refusal = ValidationFailed.at(["query", field], msg);
  expect(() => requireDateRange(query)).toThrow(expect.objectContaining({ detail: refusal.detail }));
});

test("an empty end is none, as an absent one", () => {
  const given = rangeQuery.parse({ start_date: "2026-01-02", end_date: "" });
  expect(requireDateRange(given)).toEqual(requireDateRange({ start_date: "2026-01-02" }));
});
