import { expect, test } from "vitest";
import { nextRunAt, parseSchedule } from "../../../lib/local/events/schedules.ts";

const runs = (expression: string, after: string, count: number): string[] => {
  const instants: string[] = [];
  let at: number | undefined = Date.parse(after);
  while (instants.length < count && at !== undefined) {
    at = nextRunAt(expression, at);
    if (at !== undefined) instants.push(new Date(at).toISOString().slice(0, 16));
  }
  return instants;
};

test.each([
  ["rate(1 minute)", 60_000],
  ["rate(5 minutes)", 300_000],
  ["rate(1 hour)", 3_600_000],
  ["rate(12 hours)", 43_200_000],
  ["rate(1 day)", 86_400_000],
  ["rate(7 days)", 604_800_000],
])("%s runs every %i ms", (expression, periodMs) => {
  expect(nextRunAt(expression, 1000)).toBe(1000 + periodMs);
  expect(parseSchedule(expression)).toEqual({ kind: "rate", periodMs });
});

test.each<[expression: string, after: string, expected: string[]]>([
  ["cron(0 10 * * ? *)", "2026-03-01T10:00:00Z", ["2026-03-02T10:00", "2026-03-03T10:00"]],
  ["cron(15 12 * * ? *)", "2026-03-01T12:14:59Z", ["2026-03-01T12:15", "2026-03-02T12:15"]],
  ["cron(0 18 ? * MON-FRI *)", "2026-03-06T18:00:00Z", ["2026-03-09T18:00", "2026-03-10T18:00"]],
  ["cron(0 8 1 * ? *)", "2026-12-15T00:00:00Z", ["2027-01-01T08:00", "2027-02-01T08:00"]],
  ["cron(0/15 * * * ? *)", "2026-03-01T23:31:00Z", ["2026-03-01T23:45", "2026-03-02T00:00", "2026-03-02T00:15"]],
  ["cron(1/10 3 * * ? *)", "2026-03-01T03:45:00Z", ["2026-03-01T03:51", "2026-03-02T03:01"]],
  ["cron(*/30 6 * * ? *)", "2026-03-01T06:00:00Z", ["2026-03-01T06:30", "2026-03-02T06:00"]],
  ["cron(0/10 * ? * MON-FRI *)", "2026-03-06T23:55:00Z", ["2026-03-09T00:00", "2026-03-09T00:10"]],
  ["cron(0/5 8-17 ? * MON-FRI *)", "2026-03-06T17:50:00Z", ["2026-03-06T17:55", "2026-03-09T08:00"]],
  ["cron(0/30 20-23/2 * * ? *)", "2026-03-01T20:31:00Z", ["2026-03-01T22:00"]],
  ["cron(0 9 ? * 2#1 *)", "2026-03-02T09:00:00Z", ["2026-04-06T09:00", "2026-05-04T09:00"]],
  ["cron(0 9 ? * TUE#2 *)", "2026-03-01T00:00:00Z", ["2026-03-10T09:00"]],
  ["cron(0 9 ? * 1#5 *)", "2026-01-01T00:00:00Z", ["2026-03-29T09:00", "2026-05-31T09:00"]],
  ["cron(15 10 ? * 6L 2026-2028)", "2026-02-01T00:00:00Z", ["2026-02-27T10:15", "2026-03-27T10:15"]],
  ["cron(0 0 ? * L *)", "2026-03-01T00:00:00Z", ["2026-03-07T00:00", "2026-03-14T00:00"]],
  ["cron(0 12 L * ? *)", "2026-01-31T12:00:00Z", ["2026-02-28T12:00", "2026-03-31T12:00"]],
  ["cron(0 12 L 2 ? *)", "2027-03-01T00:00:00Z", ["2028-02-29T12:00"]],
  ["cron(0 12 31 * ? *)", "2026-03-31T12:00:00Z", ["2026-05-31T12:00"]],
  ["cron(0 12 15W * ? *)", "2026-02-01T00:00:00Z", ["2026-02-16T12:00", "2026-03-16T12:00", "2026-04-15T12:00"]],
  ["cron(0 12 1W * ? *)", "2026-07-31T00:00:00Z", ["2026-08-03T12:00"]],
  ["cron(0 12 14W * ? *)", "2026-02-28T00:00:00Z", ["2026-03-13T12:00"]],
  ["cron(0 12 31W * ? *)", "2026-05-01T00:00:00Z", ["2026-05-29T12:00", "2026-07-31T12:00"]],
  ["cron(0 0 1 JAN,jul ? *)", "2026-02-01T00:00:00Z", ["2026-07-01T00:00", "2027-01-01T00:00"]],
  ["cron(0 0 1 1/4 ? *)", "2026-01-01T00:00:00Z", ["2026-05-01T00:00", "2026-09-01T00:00", "2027-01-01T00:00"]],
  ["cron(5,50 6,18 ? * SUN *)", "2026-03-01T06:05:00Z", ["2026-03-01T06:50", "2026-03-01T18:05", "2026-03-01T18:50"]],
  ["cron(0 0 29 2 ? *)", "2026-01-01T00:00:00Z", ["2028-02-29T00:00", "2032-02-29T00:00"]],
  ["cron(0 0 1 1 ? 2026)", "2026-01-01T00:00:00Z", []],
  ["cron(0 0 1 1 ? 2027/2)", "2028-01-01T00:00:00Z", ["2029-01-01T00:00", "2031-01-01T00:00"]],
])("%s after %s runs at the expected instants", (expression, after, expected) => {
  expect(runs(expression, after, Math.max(1, expected.length))).toEqual(expected);
});

test.each([
  ["5 minutes", "must be rate(value unit) or cron(six fields)"],
  ["at(2026-01-01T00:00:00)", "must be rate(value unit) or cron(six fields)"],
  ["rate(0 minutes)", "must be a positive number and minute(s), hour(s) or day(s)"],
  ["rate(5 seconds)", "must be a positive number and minute(s), hour(s) or day(s)"],
  ["rate(1.5 hours)", "must be a positive number and minute(s), hour(s) or day(s)"],
  ["rate(1 minutes)", "needs a singular unit for 1, and a plural unit otherwise"],
  ["rate(5 minute)", "needs a singular unit for 1, and a plural unit otherwise"],
  ["cron(0 12 * * ?)", "must have six fields"],
  ["cron(0 12 * * * *)", "must have ? in exactly one of day-of-month and day-of-week"],
  ["cron(0 12 ? * ? *)", "must have ? in exactly one of day-of-month and day-of-week"],
  ["cron(60 12 * * ? *)", "has an invalid minutes field: 60"],
  ["cron(0 24 * * ? *)", "has an invalid hours field: 24"],
  ["cron(0 0 0 * ? *)", "has an invalid day-of-month field: 0"],
  ["cron(0 0 1 13 ? *)", "has an invalid month field: 13"],
  ["cron(0 0 1 FOO ? *)", "has an invalid month field: FOO"],
  ["cron(0 0 ? * 0 *)", "has an invalid day-of-week field: 0"],
  ["cron(0 0 ? * 1/2 *)", "has an invalid day-of-week field: 1/2"],
  ["cron(0 0 ? * 3#6 *)", "has an invalid day-of-week field: 3#6"],
  ["cron(0 0 ? * 3#1,6#3 *)", "has an invalid day-of-week field: 3#1"],
  ["cron(0 5-3 * * ? *)", "has an invalid hours field: 5-3"],
  ["cron(0/0 * * * ? *)", "has an invalid minutes field: 0/0"],
  ["cron(0 0 1 1 ? 1969)", "has an invalid year field: 1969"],
])("%s is refused", (expression, reason) => {
  expect(() => parseSchedule(expression)).toThrow(`Schedule expression ${expression}: ${reason}`);
});
