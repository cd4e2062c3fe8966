import { expect, test } from "vitest";
import { exportReadme } from "../../../lib/domain/exports/export-readme.ts";
import { getResource, timeseriesResources } from "../../../lib/domain/timeseries/resources.ts";

test("the readme of an export describes the columns of each table, with unit and type", () => {
  const page = exportReadme([getResource("glucose"), getResource("note")], ["sleep"]);
  const [, glucose = "", note = ""] = page.split(/^(?:glucose|note)\.parquet$/m);
  expect(glucose).toMatch(/^ {2}value +Value in mmol\/L\. Double or null$/m);
  expect(note).toMatch(/^ {2}value +Value in text\. Text or null$/m);
  expect(note).toMatch(/^ {2}tags +Any of food, exercise, insulin_injection, unspecified\. List of texts or null$/m);
  expect(page).toContain("one list per kind: sleep\n");
  expect(page).toContain("FROM 'glucose.parquet'");
});

test("the readme of an export of every timeseries names each table once", () => {
  const page = exportReadme(timeseriesResources, []);
  const tables = [...page.matchAll(/^(\w+)\.parquet$/gm)].map(([, name]) => name);
  expect(tables).toEqual(timeseriesResources.map(({ name }) => name));
});

test("the readme of an empty export says that it is empty", () => {
  expect(exportReadme([], []).match(/one (?:list|table) per (?:kind|timeseries): none$/gm)).toHaveLength(2);
});
