import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { listFileTags } from "../support/select-tests.ts";

const MAX_FILES = 25;
const MAX_README_LINES = 20;

const code = globSync("{bin,lib,functions,test,web}/**/*.{ts,tsx,mts,mjs,js,html,css}", {
  exclude: ["test/**/golden/**"],
});

describe("a folder", () => {
  test(`has at most ${MAX_FILES} files`, () => {
    const sizes = Map.groupBy(code, (file) => dirname(file));
    expect(
      [...sizes].filter(([, files]) => files.length > MAX_FILES).map(([folder, { length }]) => [folder, length]),
    ).toEqual([]);
  });

  test.each(["lib/*", "lib/services/*", "functions", "web", "data", "test"])(
    "of %s says in a short README what it is",
    (pattern) => {
      const folders = globSync(`${pattern}/`).map((folder) => folder.replace(/\/$/, ""));
      expect(folders.length).toBeGreaterThan(0);
      for (const folder of folders) {
        const file = `${folder}/README.md`;
        expect(existsSync(file), file).toBe(true);
        const lines = readFileSync(file, "utf8").trimEnd().split("\n");
        expect(lines.length, file).toBeLessThanOrEqual(MAX_README_LINES);
        const named = lines.flatMap((line) => line.match(/(?<=`)[\w./-]+\.ts(?=`)/g) ?? []);
        expect(
          named.filter((name) => !existsSync(`${folder}/${name}`) && !existsSync(name)),
          file,
        ).toEqual([]);
      }
    },
  );
});

test("a test file says in its first line whether it is deep, or a share of a longer run", () => {
  const tags = listFileTags();
  const firstLine = (file: string) => readFileSync(file, "utf8").split("\n", 1)[0] ?? "";
  const found = globSync("test/**/*.test.ts").map((file) => [file, /@module-tag (\w+)/.exec(firstLine(file))?.[1]]);
  const isRight = ([file = "", tag]: (string | undefined)[]) =>
    tag === tags.get(file) || (tag === "story" && !tags.has(file));
  expect(found.filter((entry) => !isRight(entry))).toEqual([]);
});

describe("a file of lib/services", () => {
  const words = (name: string) => name.replaceAll(/[^a-z]/gi, "").toLowerCase();
  const exportsOf = (file: string) =>
    [
      ...readFileSync(file, "utf8").matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm),
    ].map(([, name = ""]) => name);

  test("is named after an export or the noun that its exports share", () => {
    const files = globSync("lib/services/**/*.ts").filter((file) => !file.endsWith(".d.ts"));
    const isNamed = (file: string) => {
      const own = words(basename(file, ".ts"));
      return exportsOf(file).some((name) => words(name).includes(own) || own.includes(words(name)));
    };
    const share = files.filter(isNamed).length / files.length;
    expect(share).toBeGreaterThan(0.6);
  });
});
