import { expect, test } from "vitest";
import { aggregationQuery } from "../../../lib/domain/queries/aggregation-query.ts";
import { checkQuery } from "../../../lib/domain/queries/check-query.ts";
import { checkContinuousQuery } from "../../../lib/domain/queries/continuous/continuous-query.ts";

const daily = { date_trunc: { value: 1, unit: "day" }, arg: { index: "sleep" } };
const mean = { func: "mean", arg: { sleep: "efficiency" } };
const key = { group_key: "*" };
const check = (query: object) => checkQuery(aggregationQuery.parse(query));

test("groups and aggregates produce output columns with names and types", () => {
  const query = {
    select: [key, mean, { func: "newest", arg: { sleep: "type" } }],
    group_by: [daily, { sleep: "state" }],
  };
  expect(check(query)).toEqual({
    table: "sleep",
    columns: {
      "group_key.0": "instant",
      "group_key.1": "text",
      "mean.efficiency": "number",
      "newest.type": "text",
    },
  });
});

test("rows of a timeseries have the fields of its samples", () => {
  const select = [{ index: "timeseries" }, { timeseries: "blood_pressure", field: "systolic" }];
  expect(check({ select })).toEqual({
    table: { timeseries: "blood_pressure" },
    columns: { timestamp: "instant", systolic: "number" },
  });
});

test.each(["steps", "water", "floors_climbed", "calories_basal"])("%s has a duration, as published", (timeseries) => {
  const select = [{ func: "sum", arg: { timeseries, field: "duration" } }];
  expect(check({ select })).toMatchObject({ columns: { "sum.duration": "number" } });
});

test.each([
  ["two tables", { select: [{ sleep: "id" }, { activity: "steps" }] }, "this expression names another"],
  ["no table", { select: [{ source: "source_provider" }] }, "The query names no table"],
  ["a row beside an aggregate", { select: [mean, { sleep: "id" }] }, "selects only aggregates and group keys"],
  ["a key without groups", { select: [mean, key] }, "Unknown group key"],
  ["a group key out of range", { select: [mean, { group_key: 1 }], group_by: [daily] }, "Unknown group key"],
  ["two date_trunc", { select: [key, mean], group_by: [daily, daily] }, "at most one date_trunc"],
  ["the mean of a text", { select: [{ func: "mean", arg: { sleep: "type" } }] }, "mean does not accept a text"],
  ["a duplicate column", { select: [{ sleep: "id" }, { sleep: "id" }] }, "Duplicate column id"],
  ["an invalid condition", { select: [{ sleep: "id" }], where: "steps > 1" }, "Unknown column"],
  [
    "fill without date_trunc",
    { select: [mean], align: { carry: { mode: "carry_forward" } } },
    "align requires a date_trunc in group_by",
  ],
  [
    "a sub-query over a non-list column",
    { select: [{ select: { func: "newest" }, from: { unnest: { sleep: "id" } } }] },
    "Not a list column",
  ],
])("a query with %s is rejected", (_, query, message) => {
  const problems = check(query);
  expect(Array.isArray(problems) && problems.map((problem) => problem.message).join()).toContain(message);
});

test.each([
  [{ select: [] }],
  [{ select: [{ sleep: "steps" }] }],
  [{ select: [{ timeseries: "heartrate", field: "systolic" }] }],
  [{ select: [{ timeseries: "moods", field: "value" }] }],
  [{ select: [{ func: "mode", arg: { sleep: "score" } }] }],
  [{ select: [{ sleep: "id", activity: "steps" }] }],
  [{ select: [mean], group_by: [{ date_trunc: { unit: "fortnight" }, arg: { index: "sleep" } }] }],
])("%j is not a valid query", (query) => {
  expect(aggregationQuery.safeParse(query).success).toBe(false);
});

const continuous = (query: object) => checkContinuousQuery(aggregationQuery.parse(query));

test("a continuous query depends on the resources of its table", () => {
  const query = (index: string, column: object) => ({
    select: [key, { func: "count", arg: column }],
    group_by: [{ ...daily, arg: { index } }],
  });
  const dependencies = (index: string, column: object) => {
    const checked = continuous(query(index, column));
    return "resource_dependencies" in checked ? checked.resource_dependencies : checked;
  };
  expect(dependencies("workout", { workout: "steps" })).toEqual(["workouts"]);
  expect(dependencies("derived_readiness", { derived_readiness: "date" })).toEqual(["sleep", "activity"]);
  expect(dependencies("timeseries", { timeseries: "glucose", field: "value" })).toEqual(["glucose"]);
});

test.each([
  ["no date_trunc", { select: [mean] }, "groups by one date_trunc"],
  [
    "a group key that is not selected",
    { select: [{ group_key: 0 }, mean], group_by: [daily, { sleep: "type" }] },
    "selects every group key",
  ],
])("a continuous query with %s is rejected", (_, query, message) => {
  const problems = continuous(query);
  expect(Array.isArray(problems) && problems.map((problem) => problem.message).join()).toContain(message);
});
