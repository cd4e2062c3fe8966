import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { classifyBlock, listFences } from "../../local/guides/read-guide.ts";

const guides = globSync("docs/guides/*.md");

describe("guides", () => {
  test.each(guides)("%s has only blocks that a test runs or writes to a file", (guide) => {
    const fences = listFences(readFileSync(guide, "utf8"));
    expect(fences.length).toBeGreaterThan(0);
    expect(fences.filter(({ info }) => classifyBlock(info) === undefined).map(({ info }) => info)).toEqual([]);
  });

  test("are all in the index", () => {
    const index = readFileSync("docs/README.md", "utf8");
    expect(guides.filter((guide) => !index.includes(`guides/${basename(guide)}`))).toEqual([]);
  });

  test("an unknown block is noticed", () => {
    expect(classifyBlock("python")).toBeUndefined();
  });
});
