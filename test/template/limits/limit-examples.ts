import type { AwsLimit, Measure } from "./aws-limits.ts";
import type { LimitSubject } from "./limit-subjects.ts";

interface LimitExamples {
  /** Fabricated services that exceed the limit in one place. */
  readonly refused: readonly LimitSubject[][];
  /** Fabricated services exactly at the limit. */
  readonly taken: readonly LimitSubject[][];
}

const text = (length: number) => "x".repeat(length);

/** A value of a size. Policy documents contain line breaks, which do not count. */
const ofSize: Readonly<Record<Exclude<Measure, "form" | "count">, (size: number) => unknown>> = {
  characters: text,
  bytes: text,
  policy: (size) => `${text(size)} \n\t`,
  items: (size) => Array.from({ length: size }, () => "x"),
  value: (size) => size,
  environment: (size) => ({ NAME: text(size - "NAME".length) }),
};

/** Creates services that meet one limit and contain nothing else, to prove that the check can fail. */
export function createLimitExamples(limit: AwsLimit): LimitExamples {
  const { measure, max, min, refused: text = "" } = limit;
  if (measure === "form") return { refused: [[subjectWith(limit, text)]], taken: [] };
  if (measure === "count")
    return { refused: [repeatedSubjects(limit, (max ?? 0) + 1)], taken: [repeatedSubjects(limit, max ?? 0)] };
  const sized = (size: number) => [subjectWith(limit, ofSize[measure](size))];
  return {
    refused: [...(max === undefined ? [] : [sized(max + 1)]), ...(min === undefined ? [] : [sized(min - 1)])],
    taken: [...(max === undefined ? [] : [sized(max)]), ...(min === undefined ? [] : [sized(min)])],
  };
}

function subjectWith({ type, path }: AwsLimit, value: unknown): LimitSubject {
  return { type, name: "Planted", properties: nested(path.split("."), value) };
}

function repeatedSubjects({ type, path }: AwsLimit, count: number): LimitSubject[] {
  const places = path.split(",").map((place) => nested(place.split("."), "same"));
  const properties = Object.assign({}, ...places) as LimitSubject["properties"];
  return Array.from({ length: count }, (_, place) => ({ type, name: `Planted${place}`, properties }));
}

/** An object with the value at a path, and a list of one entry for each `*`. */
function nested([first = "", ...rest]: readonly string[], value: unknown): Record<string, unknown> {
  const inner = () => {
    if (rest.length === 0) return value;
    return rest[0] === "*" ? [rest.length === 1 ? value : nested(rest.slice(1), value)] : nested(rest, value);
  };
  return { [first]: inner() };
}
