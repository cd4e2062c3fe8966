import fc from "fast-check";
import type { ColumnType } from "../../../lib/domain/queries/tables/columns.ts";

/** A column with literals for comparisons, in the syntax of the language. */
export interface ComparableColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly literals: readonly string[];
}

const equalities = ["=", "!="];
const orders = [...equalities, "<", "<=", ">", ">="];
const ordered: readonly ColumnType[] = ["number", "date", "instant"];

const space = fc.constantFrom(" ", "  ", "\t", "\n");
const anyCase = (word: string) => fc.constantFrom(word, word.toLowerCase());

const comparison = ({ name, type, literals }: ComparableColumn): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...(ordered.includes(type) ? orders : equalities)),
      fc.constantFrom(...literals),
      fc.boolean(),
    )
    .map(([operator, literal, isWide]) => (isWide ? `${name} ${operator} ${literal}` : `${name}${operator}${literal}`));

/** Arbitrary conditions over these columns that the grammar allows. */
export function arbitraryCondition(columns: readonly ComparableColumn[]): fc.Arbitrary<string> {
  const { condition } = fc.letrec<{ condition: string; joined: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(...columns.map(comparison)),
      tie("joined"),
      fc.tuple(anyCase("NOT"), space, tie("condition")).map((parts) => parts.join("")),
      tie("condition").map((inner) => `(${inner})`),
    ),
    joined: fc
      .tuple(tie("condition"), space, fc.oneof(anyCase("AND"), anyCase("OR")), space, tie("condition"))
      .map((parts) => parts.join("")),
  }));
  return condition;
}

const fragments = fc.constantFrom(
  ...["(", ")", "AND", "OR", "NOT", "and", "=", "!=", "<", "<=", ">", ">=", "'", "''", "'a'", "TRUE", "false", "null"],
  ...["0", "-1", "1.5", "1e9", "--", ";", "/*", "\\", "\u0000", "\u2028", "\ud800", "é", "IN", "LIKE", "<>", "==", ","],
  ...[
    "efficiency",
    "type",
    "session_start",
    "is_predicted",
    "flow",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
  ],
);

/** Tokens of this and other languages, in any order. */
const soups = fc
  .array(fc.tuple(fragments, fc.constantFrom("", " ")), { maxLength: 40 })
  .map((parts) => parts.flat().join(""));

/** Long repetitions of one token, which break slow or recursive parsers. */
const heaps = fc
  .tuple(fc.oneof(fragments, fc.string({ minLength: 1, maxLength: 3 })), fc.integer({ min: 1, max: 700 }), soups)
  .map(([part, times, rest]) => `${part.repeat(times)} ${rest}`);

const edits = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    drop: fc.integer({ min: 0, max: 6 }),
    insert: fc.oneof(fc.constant(""), fragments, fc.string({ maxLength: 3, unit: "binary" })),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Arbitrary condition texts: valid, nearly valid, random tokens, long repetitions, noise. */
export function arbitraryWhereInput(columns: readonly ComparableColumn[]): fc.Arbitrary<string> {
  const right = arbitraryCondition(columns);
  const mutated = fc.tuple(right, edits).map(([text, changes]) =>
    changes.reduce((before, { at, drop, insert }) => {
      const place = Math.floor(at * before.length);
      return before.slice(0, place) + insert + before.slice(place + drop);
    }, text),
  );
  const noise = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60, unit: "binary" }));
  return fc.oneof(
    { arbitrary: mutated, weight: 6 },
    { arbitrary: right, weight: 2 },
    { arbitrary: soups, weight: 3 },
    { arbitrary: noise, weight: 1 },
    { arbitrary: heaps, weight: 1 },
  );
}
