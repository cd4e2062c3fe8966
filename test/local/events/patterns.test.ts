import { describe, expect, test } from "vitest";
import { PatternError } from "../../../lib/local/events/operators.ts";
import { matchesPattern, validatePattern } from "../../../lib/local/events/patterns.ts";

const EVENT = {
  version: "0",
  "detail-type": "EC2 Instance State-change Notification",
  source: "aws.ec2",
  time: "2017-10-02T16:24:49Z",
  resources: ["arn:aws:ec2:us-east-1:123456789012:instance/i-1", "arn:aws:ec2:us-east-1:123456789012:instance/i-2"],
  detail: {
    "c-count": 5,
    state: "running",
    nested: { deep: { value: 7 } },
    employees: [
      { firstName: "John", lastName: "Doe" },
      { firstName: "Anna", lastName: "Smith", age: 30 },
      { firstName: "Peter", lastName: "Jones" },
    ],
    grid: [[{ x: 1, y: 1 }], [{ x: 2, y: 2 }]],
    tags: ["blue", "green"],
  },
};

const STRUCTURE: [name: string, pattern: unknown, expected: boolean][] = [
  ["all fields must match", { source: ["aws.ec2"], detail: { state: ["running"] } }, true],
  ["one field that differs is enough to fail", { source: ["aws.ec2"], detail: { state: ["stopped"] } }, false],
  ["fields left out of the pattern do not matter", { detail: { "c-count": [5] } }, true],
  ["nested fields", { detail: { nested: { deep: { value: [7] } } } }, true],
  ["a nested field that is absent", { detail: { nested: { other: { value: [7] } } } }, false],
  ["an object where a value is expected", { detail: { nested: ["deep"] } }, false],
  ["a value where an object is expected", { detail: { state: { deep: ["running"] } } }, false],
  ["an array matches by any element", { resources: [{ suffix: "/i-2" }] }, true],
  ["an array without a fitting element", { resources: [{ suffix: "/i-3" }] }, false],
  ["anything-but holds for an array with another element", { detail: { tags: [{ "anything-but": "blue" }] } }, true],
  ["anything-but of all elements", { detail: { tags: [{ "anything-but": ["blue", "green"] }] } }, false],
  ["a field in an array of objects", { detail: { employees: { firstName: ["Anna"] } } }, true],
  ["fields of one element", { detail: { employees: { firstName: ["Anna"], lastName: ["Smith"] } } }, true],
  ["fields of two elements do not mix", { detail: { employees: { firstName: ["Anna"], lastName: ["Jones"] } } }, false],
  ["arrays in arrays", { detail: { grid: { x: [2], y: [2] } } }, true],
  ["elements of inner arrays do not mix", { detail: { grid: { x: [1], y: [2] } } }, false],
  ["exists: false means in no element", { detail: { employees: { age: [{ exists: false }] } } }, false],
  ["exists: false of a field no element has", { detail: { employees: { email: [{ exists: false }] } } }, true],
  ["dots in keys read as nesting", { detail: { "nested.deep.value": [7] } }, true],
  ["$or with its first branch", { $or: [{ source: ["aws.ec2"] }, { source: ["none"] }] }, true],
  ["$or with its second branch", { $or: [{ source: ["none"] }, { detail: { state: ["running"] } }] }, true],
  ["$or without a branch that holds", { $or: [{ source: ["none"] }, { version: ["1"] }] }, false],
  ["$or beside a field that fails", { source: ["none"], $or: [{ version: ["0"] }, { version: ["1"] }] }, false],
  ["$or below a field", { detail: { $or: [{ state: ["stopped"] }, { "c-count": [{ numeric: [">", 4] }] }] } }, true],
  [
    "$or inside $or",
    { $or: [{ source: ["none"] }, { version: ["0"], $or: [{ source: ["x"] }, { detail: { tags: ["green"] } }] }] },
    true,
  ],
  [
    "two $or at different depths",
    { $or: [{ source: ["aws.ec2"] }, { version: ["9"] }], detail: { $or: [{ state: ["x"] }, { tags: ["y"] }] } },
    false,
  ],
];

test.each(STRUCTURE)("pattern structure: %s", (_name, pattern, expected) => {
  expect(matchesPattern(pattern, EVENT)).toBe(expected);
});

const INVALID: [pattern: unknown, message: string][] = [
  [["x"], "pattern: must be an object"],
  [{}, "pattern: an empty object is not allowed"],
  [{ detail: {} }, "detail: an empty object is not allowed"],
  [{ source: "aws.ec2" }, "source: must be an object or an array"],
  [{ source: [] }, "source: an empty array is not allowed"],
  [{ source: [["a"]] }, "source[0]: an array inside an array is not allowed"],
  [{ detail: { state: ["a", { prefx: "b" }] } }, 'detail.state[1]: unknown operator "prefx"'],
  [{ source: [{}] }, "source[0]: exactly one operator is allowed in a comparison"],
  [{ source: [{ prefix: "a", suffix: "b" }] }, "source[0]: exactly one operator is allowed in a comparison"],
  [{ source: [{ prefix: 5 }] }, "source[0]: prefix takes a string"],
  [{ source: [{ prefix: { wildcard: "a*" } }] }, 'source[0]: unknown operator "wildcard" in prefix'],
  [{ source: [{ suffix: ["a"] }] }, "source[0]: suffix takes a string"],
  [{ source: [{ wildcard: "a**b" }] }, "source[0]: wildcard must not have two * in a row"],
  [{ source: [{ wildcard: "a\\b" }] }, "source[0]: wildcard escapes only \\* and \\\\"],
  [{ source: [{ exists: "yes" }] }, "source[0]: exists takes true or false"],
  [{ source: [{ "anything-but": [] }] }, "source[0]: anything-but takes strings only or numbers only"],
  [{ source: [{ "anything-but": ["a", 1] }] }, "source[0]: anything-but takes strings only or numbers only"],
  [{ source: [{ "anything-but": null }] }, "source[0]: anything-but takes strings only or numbers only"],
  [{ source: [{ "anything-but": { numeric: [">", 1] } }] }, 'source[0]: unknown operator "numeric" in anything-but'],
  [
    { source: [{ "anything-but": { prefix: ["a", ""] } }] },
    "source[0]: anything-but prefix takes a string or a list of strings, none empty",
  ],
  [{ n: [{ numeric: 5 }] }, "n[0]: numeric takes an array"],
  [{ n: [{ numeric: ["!=", 5] }] }, 'n[0]: unknown numeric comparison "!="'],
  [{ n: [{ numeric: ["<", "5"] }] }, "n[0]: a numeric bound must be a number between -5.0e9 and 5.0e9"],
  [{ n: [{ numeric: ["<", 6e9] }] }, "n[0]: a numeric bound must be a number between -5.0e9 and 5.0e9"],
  [{ n: [{ numeric: ["<", 5, ">", 1] }] }, 'n[0]: numeric takes one comparison, or a range such as [">", 0, "<=", 5]'],
  [{ n: [{ numeric: [">", 5, "<", 5] }] }, "n[0]: the lower bound of a numeric range must be less than the upper"],
  [{ ip: [{ cidr: "10.0.0.0" }] }, "ip[0]: cidr takes an address and a mask, such as 10.0.0.0/24"],
  [{ ip: [{ cidr: "10.0.0.0/33" }] }, "ip[0]: cidr takes an address and a mask, such as 10.0.0.0/24"],
  [{ ip: [{ cidr: "10.0.0.0/24/1" }] }, "ip[0]: cidr takes an address and a mask, such as 10.0.0.0/24"],
  [{ $or: [{ source: ["a"] }] }, "$or: must be an array of at least two objects"],
  [{ detail: { $or: "x" } }, "detail.$or: must be an array of at least two objects"],
];

test.each(INVALID)("the pattern %j is refused", (pattern, message) => {
  expect(() => validatePattern(pattern)).toThrow(PatternError);
  expect(() => validatePattern(pattern)).toThrow(expect.objectContaining({ message }));
});

describe("combinations of $or", () => {
  const choice = (key: string) => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((value) => ({ [key]: [value] }));

  test("are accepted up to 1,000", () => {
    const pattern = { a: { $or: choice("x") }, b: { $or: choice("y") }, c: { $or: choice("z") } };
    expect(matchesPattern(pattern, { a: { x: 3 }, b: { y: 10 }, c: { z: 1 } })).toBe(true);
  });

  test("are refused above", () => {
    const pattern = { a: { $or: choice("x") }, b: { $or: choice("y") }, c: { $or: [...choice("z"), { z: [11] }] } };
    expect(() => validatePattern(pattern)).toThrow("too many combinations of $or");
  });
});
