import type { Limit, Measure } from "./aws-limits.ts";
import type { Subject } from "./subjects.ts";

interface Planted {
  /** Fabricated services that exceed the limit in one place. */
  readonly refused: readonly Subject[][];
  /** Fabricated services exactly at the limit. */
  readonly taken: readonly Subject[][];
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
export function planted(limit: Limit): Planted {
  const { measure, most, least, refused: text = "" } = limit;
  if (measure === "form") return { refused: [[holding(limit, text)]], taken: [] };
  if (measure === "count") return { refused: [times(limit, (most ?? 0) + 1)], taken: [times(limit, most ?? 0)] };
  const sized = (size: number) => [holding(limit, ofSize[measure](size))];
  return {
    refused: [...(most === undefined ? [] : [sized(most + 1)]), ...(least === undefined ? [] : [sized(least - 1)])],
    taken: [...(most === undefined ? [] : [sized(most)]), ...(least === undefined ? [] : [sized(least)])],
  };
}

function holding({ of, at }: Limit, value: unknown): Subject {
  return { type: of, name: "Planted", properties: nested(at.split("."), value) };
}

function times({ of, at }: Limit, count: number): Subject[] {
  const places = at.split(",").map((place) => nested(place.split("."), "same"));
  const properties = Object.assign({}, ...places) as Subject["properties"];
  return Array.from({ length: count }, (_, place) => ({ type: of, name: `Planted${place}`, properties }));
}

/** An object with the value at a path, and a list of one entry for each `*`. */
function nested([first = "", ...rest]: readonly string[], value: unknown): Record<string, unknown> {
  const inner = () => {
    if (rest.length === 0) return value;
    return rest[0] === "*" ? [rest.length === 1 ? value : nested(rest.slice(1), value)] : nested(rest, value);
  };
  return { [first]: inner() };
}
