import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const [, section = ""] = readFileSync("docs/security.md", "utf8").split("\n## Findings and what mended them\n");
const rows = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| (?!Finding |---)(.+)\|$/gm)].map(([, row = ""]) =>
  row.split(" | ").map((cell) => cell.trim()),
);

/** The tests in a cell: a file, then titles of its tests. */
function testsIn(cell: string): [file: string, title: string][] {
  const found: [string, string][] = [];
  let file = "";
  for (const [, path, title] of cell.matchAll(/`(test\/[^`]+)`|"([^"]+)"/g)) {
    if (path) file = path;
    else if (title) found.push([file, title]);
  }
  return found;
}

describe("the findings of docs/security.md", () => {
  test("have at least one test and one commit", () => {
    expect(rows.length).toBeGreaterThan(10);
    for (const [finding, , tests = "", commits = ""] of rows) {
      expect(testsIn(tests), finding).not.toEqual([]);
      expect(commits, finding).toMatch(/^[0-9a-f]{7}(, [0-9a-f]{7})*$/);
    }
  });

  test.each(rows.flatMap(([, , tests = ""]) => testsIn(tests)))("name an existing test: %s, %s", (file, title) => {
    expect(readFileSync(file, "utf8")).toContain(title);
  });
});
