import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findLongFunctions } from "./biome.ts";

/** Folders of code for people. Generated data and lists are not code. */
const CODE = ["bin", "lib", "functions", "web"];
const FILE_LINES = 200;
const FUNCTION_LINES = 40;
const ENDPOINT_LINES = 80;

/** Tables that are read by looking up a row: the resources of the service, and how each dependency is created. */
const tables = ["lib/contract/resources.ts", "lib/runtime/dependency-table.ts"];

const lineCount = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n").length;
const filesOver = (pattern: string, lines: number) => globSync(pattern).filter((file) => lineCount(file) > lines);

describe("size budgets:", () => {
  test(`no file has more than ${FILE_LINES} lines`, () => {
    const over = filesOver(`{${CODE}}/**/*.{ts,tsx,mjs,js,css,html}`, FILE_LINES);
    expect(over.filter((file) => !tables.includes(file))).toEqual([]);
  });

  test(`no function has more than ${FUNCTION_LINES} lines`, { tags: "deep" }, () => {
    const found = findLongFunctions(CODE, FUNCTION_LINES - 10);
    const sizes = found.map(({ file, firstLine, lastLine }) => ({
      place: `${file}:${firstLine}`,
      lines: lastLine - firstLine + 1,
    }));
    expect(sizes.filter(({ lines }) => lines > FUNCTION_LINES)).toEqual([]);
  });

  test(`no endpoint has more than ${ENDPOINT_LINES} lines`, () => {
    expect(filesOver("functions/*/*.ts", ENDPOINT_LINES)).toEqual([]);
  });

  test("the check recognises long functions", () => {
    expect(findLongFunctions(["lib/runtime"], 5).length).toBeGreaterThan(10);
  });
});
