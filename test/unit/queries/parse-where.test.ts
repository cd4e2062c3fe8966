import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Condition, InvalidWhereError, parseWhere } from "../../../lib/domain/queries/expressions/parse-where.ts";

const columns = {
  efficiency: "number",
  type: "text",
  session_start: "instant",
  date: "date",
  is_predicted: "boolean",
  flow: "list",
} as const;
const parse = (text: string) => parseWhere(text, columns);

const compare = (column: string, operator: string, value: unknown) => ({ kind: "compare", column, operator, value });

test("AND binds tighter than OR, NOT tighter than AND, parentheses tightest", () => {
  const [a, b, c] = [1, 2, 3].map((value) => compare("efficiency", "=", value));
  expect(parse("efficiency = 1 OR efficiency = 2 AND NOT efficiency = 3")).toEqual({
    kind: "or",
    of: [a, { kind: "and", of: [b, { kind: "not", of: c }] }],
  });
  expect(parse("(efficiency = 1 or efficiency = 2) and efficiency = 3")).toEqual({
    kind: "and",
    of: [{ kind: "or", of: [a, b] }, c],
  });
});

test.each([
  ["efficiency >= -2.5", compare("efficiency", ">=", -2.5)],
  ["type = 'it''s'", compare("type", "=", "it's")],
  ["type != ''", compare("type", "!=", "")],
  ["session_start < '2026-01-01T00:00:00Z'", compare("session_start", "<", "2026-01-01T00:00:00Z")],
  ["is_predicted = TRUE", compare("is_predicted", "=", true)],
])("%s parses as a comparison", (text, condition) => {
  expect(parse(text)).toEqual(condition);
});

test.each([
  ["", "Expected a column at character 1"],
  ["efficiency", "Expected one of = != < <= > >= at character 11"],
  ["efficiency = 'high'", "Not comparable with a number at character 14"],
  ["type < 'a'", "Not comparable with a text at character 8"],
  ["session_start = 'soon'", "Not comparable with a instant at character 17"],
  ["flow = 'heavy'", "Not comparable with a list at character 8"],
  ["constructor = 1", "Unknown column at character 1"],
  ["efficiency = 1)", "Unexpected text after the condition at character 15"],
  ["(efficiency = 1", "Expected a closing parenthesis at character 16"],
  ["type = 'open", "Unterminated string at character 8"],
  ["efficiency = 1; drop", "Unexpected character at character 15"],
  [`${"(".repeat(21)}efficiency = 1`, "Nested more than 20 deep at character 21"],
])("%j is rejected: %s", (text, message) => {
  expect(() => parse(text)).toThrow(InvalidWhereError);
  expect(() => parse(text)).toThrow(message);
});

test.each(["session_start", "date"])("%s compares with dates and date-times, and with no other text", (column) => {
  const accepted = ["2026-11-11", "2026-11-11T08:00", "2026-11-11 08:00:00.5", "2024-02-29T23:59:59Z"];
  for (const value of [...accepted, "2026-11-11T00:00:00+01:00", "2026-11-11 00:00-05:30"])
    expect(parse(`${column} < '${value}'`)).toEqual(compare(column, "<", value));
  const dates = ["12/25/2026", "11 Nov 2026", "2026", "2026-11", "2026-1-1", "2026-02-30", "2026-11-11Z", "1"];
  const times = ["2026-11-11T00:00:00+0100", "2026-11-11T00:00z", "2026-11-11T25:00", "2026-11-11T00:00+99:00"];
  for (const value of [...dates, ...times, " 2026-11-11", "2026-11-11T", "0", ""])
    expect(() => parse(`${column} < '${value}'`), value).toThrow("Not comparable with a");
});

/** Writes a condition as fully parenthesized text. */
function write(condition: Condition): string {
  if (condition.kind === "compare") {
    const { column, operator, value } = condition;
    return `${column} ${operator} ${typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : value}`;
  }
  if (condition.kind === "not") return `NOT (${write(condition.of)})`;
  return condition.of.map((part) => `(${write(part)})`).join(` ${condition.kind} `);
}

const leaf = fc.oneof(
  fc.record({
    kind: fc.constant("compare" as const),
    column: fc.constant("efficiency"),
    operator: fc.constantFrom("=" as const, "<" as const, ">=" as const),
    value: fc.integer(),
  }),
  fc.record({
    kind: fc.constant("compare" as const),
    column: fc.constant("type"),
    operator: fc.constantFrom("=" as const, "!=" as const),
    value: fc.string({ maxLength: 10 }),
  }),
);
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.record({
      kind: fc.constantFrom("and" as const, "or" as const),
      of: fc.array(tie("condition"), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant("not" as const), of: tie("condition") }),
  ),
}));

describe("parseWhere", () => {
  test("parses the text of any condition back into that condition", () => {
    fc.assert(
      fc.property(condition, (written) => {
        const text = write(written);
        fc.pre(text.length <= 2_000);
        expect(parse(text)).toEqual(written);
      }),
    );
  });

  test("returns a condition or an error that names a position, for any text", () => {
    const piece = fc.constantFrom(
      "(",
      ")",
      "and",
      "or",
      "not",
      "efficiency",
      "type",
      "=",
      "<",
      "1",
      "'a'",
      "'",
      " ",
      ";",
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(" ")),
      fc.string(),
    );
    fc.assert(
      fc.property(text, (text) => {
        try {
          parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidWhereError);
          expect((error as InvalidWhereError).at).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});
