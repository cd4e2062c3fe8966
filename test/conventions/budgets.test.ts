import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { longFunctions } from "./biome.ts";

/** Folders of code for people. Generated data and lists are not code. */
const CODE = ["bin", "lib", "functions", "web"];
const FILE_LINES = 200;
const FUNCTION_LINES = 40;
const ENDPOINT_LINES = 80;

/** Lists with reasons: data in the form of a function. */
const data = ["lib/stacks/acknowledgements.ts"];
/** The list of all functions grows with their number. */
const LIST = "functions/index.ts";

const lineCount = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n").length;
const filesOver = (pattern: string, lines: number) => globSync(pattern).filter((file) => lineCount(file) > lines);

describe("size budgets:", () => {
  test(`no file has more than ${FILE_LINES} lines`, () => {
    const over = filesOver(`{${CODE}}/**/*.{ts,mjs,js,css,html}`, FILE_LINES);
    expect(over.filter((file) => file !== LIST)).toEqual([]);
  });

  test(`no function has more than ${FUNCTION_LINES} lines`, () => {
    const found = longFunctions(CODE, FUNCTION_LINES - 10).filter(({ file }) => !data.includes(file));
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
    expect(longFunctions(["lib/runtime"], 5).length).toBeGreaterThan(10);
  });
});
