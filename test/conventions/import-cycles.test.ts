import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildImportGraph, type ImportGraph } from "../support/import-graph.ts";

/** Finds at least one cycle if the graph has any. Each starts and ends with the same file. */
function findCycles(graph: ImportGraph): string[][] {
  const cycles: string[][] = [];
  const visited = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file);
    if (start >= 0) cycles.push([...path.slice(start), file]);
    if (visited.has(file)) return;
    visited.add(file);
    for (const imported of graph.get(file) ?? []) visit(imported, [...path, file]);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

const cyclesAmong = (sources: Readonly<Record<string, string>>) =>
  findCycles(buildImportGraph(new Map(Object.entries(sources))));

describe("the search for cycles", () => {
  test.each([
    ["values", 'import { b } from "./b.ts";'],
    ["types alone", 'import type { B } from "./b.ts";'],
    ["names on several lines", 'import {\n  type B,\n  b,\n} from "./b.ts";'],
    ["side effects", 'import "./b.ts";'],
    ["a re-export", 'export type { B } from "./b.ts";'],
    ["a dynamic import", 'const { b } = await import("./b.ts");'],
  ])("follows an import of %s", (_, text) => {
    const sources = { "lib/a.ts": text, "lib/b.ts": 'import type { A } from "./a.ts";' };
    expect(cyclesAmong(sources)).toEqual([["lib/a.ts", "lib/b.ts", "lib/a.ts"]]);
  });

  test("finds a cycle behind the first file and through several folders", () => {
    const sources = {
      "bin/start.ts": 'import { one } from "../lib/x/one.ts";',
      "lib/x/one.ts": 'import { two } from "../y/two.ts";',
      "lib/y/two.ts": 'import { three } from "./z/three.ts";',
      "lib/y/z/three.ts": 'import type { One } from "../../x/one.ts";',
    };
    expect(cyclesAmong(sources)).toEqual([["lib/x/one.ts", "lib/y/two.ts", "lib/y/z/three.ts", "lib/x/one.ts"]]);
  });

  test("accepts a file that several files import", () => {
    const sources = {
      "lib/a.ts": 'import { b } from "./b.ts";\nimport { c } from "./c.ts";',
      "lib/b.ts": 'import type { D } from "./d.ts";',
      "lib/c.ts": 'import type { D } from "./d.ts";',
      "lib/d.ts": 'import * as z from "zod";',
    };
    expect(cyclesAmong(sources)).toEqual([]);
  });
});

describe("files of lib, functions and bin", () => {
  const files = globSync("{lib,functions,bin}/**/*.ts");
  const graph = buildImportGraph(new Map(files.map((file) => [file, readFileSync(file, "utf8")])));

  test("import each other", () => {
    expect([...graph.values()].flat().length).toBeGreaterThan(files.length);
  });

  test("form no cycle, not even by importing types", () => {
    expect(findCycles(graph).map((cycle) => cycle.join(" -> "))).toEqual([]);
  });
});
