import fc from "fast-check";
import { expect, test } from "vitest";
import { catalogue } from "../../../lib/events/catalogue/catalogue.ts";
import { parseEventTypePattern } from "../../../lib/events/forwarding/event-type-pattern.ts";

function matches(pattern: string, type: string): boolean {
  const read = parseEventTypePattern(pattern);
  if (typeof read === "string") throw new Error(`${pattern}: ${read}`);
  return read(type);
}

const character = fc.constantFrom(
  "a",
  "b",
  "_",
  "\\.",
  ".",
  "\\w",
  "\\d",
  "[ab]",
  "[^a]",
  "[a-c_]",
  "[\\w.]",
  "^",
  "$",
);
const { pattern } = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  pattern: fc
    .array(fc.array(fc.tuple(tie("atom"), fc.constantFrom("", "", "*", "+", "?")), { maxLength: 4 }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((ways) =>
      ways.map((parts) => parts.map(([atom, sign]) => atom + (/^[$^]$/.test(atom) ? "" : sign)).join("")).join("|"),
    ),
  atom: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    character,
    tie("pattern").map((inner) => `(${inner})`),
    tie("pattern").map((inner) => `(?:${inner})`),
  ),
}));

test("an event type pattern matches what a regular expression matches", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "a", "b", "c", "_", "."), maxLength: 6 });
  fc.assert(
    fc.property(pattern, text, (source, type) => {
      for (const one of [source, `^(?:${source})$`]) expect(matches(one, type)).toBe(new RegExp(one).test(type));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["^daily\\.data\\.(steps|heartrate)\\.", 4],
  ["\\.updated$", catalogue.filter(({ type }) => type.endsWith(".updated")).length],
  ["^lab(test|_report)\\.", catalogue.filter(({ type }) => /^lab(test|_report)\./.test(type)).length],
  ["^$", 0],
])("%s matches the expected types of the catalogue", (source, count) => {
  expect(catalogue.filter(({ type }) => matches(source, type))).toHaveLength(count);
});

test("a pattern with exponential backtracking elsewhere matches in linear time", () => {
  const nested = `${"(".repeat(60)}a*${")*".repeat(60)}b`;
  const ambiguous = `${"(a|a|a)".repeat(25)}b`;
  for (const source of ["(a+)+$", "(a|a)*b", "(\\w*\\w*)*!", nested, ambiguous]) {
    expect(matches(source, `${"a".repeat(60)}c`)).toBe(false);
  }
});

test.each([
  "(",
  "a)",
  "[",
  "[]",
  "[z-a]",
  "*",
  "a**",
  "a{2}",
  "\\",
  "\\b",
  "\\1",
  "(?=a)",
  "(?<n>a)",
  "^*",
  "a]",
  "[a",
])("the pattern %s is rejected with a reason", (source) =>
  expect(parseEventTypePattern(source)).toEqual(expect.any(String)),
);
