import { expect, test } from "vitest";
import { proseOfSource } from "../../../lib/cli/prose/prose-of-source.ts";

test("the prose of a source is its docstrings, comments and descriptions, at their own lines", () => {
  const source = [
    "/** Returns a {@link User}. @throws never. */",
    "export const contract = endpoint({",
    '  summary: "Not prose",',
    "  description: [",
    '    "Returns a user.",',
    '    "Answers `user_not_found` for \\"unknown\\" ids.",',
    "  ],",
    "  // Cheap.",
    '  description: ["One sentence."],',
    "/**",
    " * Adds.",
    " * @example",
    " * add(1, 2)",
    " */",
  ].join("\n");
  expect(proseOfSource(source).split("\n")).toEqual([
    "Returns a `User`. @throws never.",
    "",
    "",
    "",
    "Returns a user.",
    'Answers `user_not_found` for \\"unknown\\" ids.',
    "",
    "Cheap.",
    "One sentence.",
    "",
    "Adds.",
    "",
    "",
    "",
  ]);
});
