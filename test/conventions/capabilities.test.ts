import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCapabilities, spans, tableRows } from "../support/capabilities.ts";
import { compositionRoots, layers, services } from "./import-table.ts";

const folders = (parent: string) => globSync(`${parent}/*/`).map((folder) => folder.split("/").at(-1) ?? "");

const architecture = readFileSync("docs/architecture.md", "utf8");
const capabilities = readCapabilities();

describe("the table of capabilities", () => {
  test.each(["lib/domain", "lib/store", "lib/services"])("names every folder of %s", (parent) => {
    const shared = parent === "lib/domain" ? ["shared"] : [];
    expect(folders(parent).filter((name) => !capabilities.has(name) && !shared.includes(name))).toEqual([]);
  });

  test("names no capability without a folder", () => {
    const known = new Set(["lib/domain", "lib/store", "lib/services"].flatMap(folders));
    expect([...capabilities.keys()].filter((name) => !known.has(name))).toEqual([]);
  });

  test("gives every tag of functions/ to one capability", () => {
    const tags = [...capabilities.values()].flat();
    expect(tags.toSorted()).toEqual(
      folders("functions")
        .filter((tag) => tag !== "service")
        .toSorted(),
    );
  });

  test("has the names of the import table", () => {
    expect(Object.keys(services).toSorted()).toEqual(folders("lib/services").toSorted());
    expect(Object.keys(services).filter((name) => !capabilities.has(name))).toEqual([]);
  });
});

describe("the table of layers", () => {
  test("names every folder of lib/", () => {
    const named = tableRows("Layers").flatMap(([names]) => spans(names));
    const expected = [...Object.keys(layers), ...compositionRoots].map((name) => `lib/${name}`);
    expect(named.filter((name) => name.startsWith("lib/")).toSorted()).toEqual(expected.toSorted());
    expect(
      folders("lib")
        .map((name) => `lib/${name}`)
        .toSorted(),
    ).toEqual(expected.toSorted());
  });
});

describe("services", () => {
  test("import each other without a cycle", () => {
    const visit = (name: string, path: readonly string[]): string[] =>
      path.includes(name)
        ? [[...path, name].join(" > ")]
        : (services[name] ?? []).flatMap((next) => visit(next, [...path, name]));
    expect(Object.keys(services).flatMap((name) => visit(name, []))).toEqual([]);
  });

  test("import exactly the services that the table draws", () => {
    const found: Record<string, string[]> = Object.fromEntries(Object.keys(services).map((name) => [name, []]));
    for (const file of globSync("lib/services/**/*.ts")) {
      const [, , own = "", ...rest] = file.split("/");
      const up = "../".repeat(rest.length);
      for (const [, other = ""] of readFileSync(file, "utf8").matchAll(
        new RegExp(`"${up.replaceAll(".", "\\.")}([\\w-]+)/`, "g"),
      ))
        if (other in services && other !== own) found[own] = [...new Set([...(found[own] ?? []), other])].toSorted();
    }
    expect(found).toEqual(
      Object.fromEntries(Object.entries(services).map(([name, others]) => [name, [...others].toSorted()])),
    );
  });
});

describe("the files that docs/architecture.md walks through", () => {
  const walks = architecture.split(/^### Read it in the code$/m).slice(1);

  test("exist, at most 15 on each walk and none twice", () => {
    expect(walks).toHaveLength(2);
    for (const walk of walks) {
      const files = walk.split(/^## /m)[0]?.match(/(?<=^\| \d+ \| `)[^`]+/gm) ?? [];
      expect(files.length).toBeGreaterThan(10);
      expect(files.length).toBeLessThanOrEqual(15);
      expect(new Set(files).size).toBe(files.length);
      expect(files.filter((file) => globSync(file).length === 0)).toEqual([]);
    }
  });
});
