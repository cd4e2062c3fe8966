import type { Limit, Measure } from "./aws-limits.ts";
import type { Subject } from "./subjects.ts";

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const bytesOf = (text: string) => Buffer.byteLength(text);

function itemsIn(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : 1;
}

/** The size of a value. `form` and `count` do not depend on one value's size. */
const sizes: Readonly<Record<Exclude<Measure, "form" | "count">, (value: unknown) => number>> = {
  characters: (value) => [...textOf(value)].length,
  // IAM does not count white space (IAM User Guide, "IAM and AWS STS quotas").
  policy: (value) => textOf(value).replaceAll(/\s/g, "").length,
  bytes: (value) => bytesOf(textOf(value)),
  items: itemsIn,
  value: Number,
  environment: (value) =>
    Object.entries(value as object).reduce((sum, [name, text]) => sum + bytesOf(name) + bytesOf(textOf(text)), 0),
};

/** Every value at a path; `*` matches all entries of a list or an object. */
export function valuesAt(value: unknown, [first, ...rest]: readonly string[]): unknown[] {
  if (value === undefined || value === null) return [];
  if (first === undefined) return [value];
  if (typeof value !== "object") return [];
  if (first === "*") return Object.values(value).flatMap((entry) => valuesAt(entry, rest));
  return valuesAt((value as Record<string, unknown>)[first], rest);
}

const isOf = (limit: Limit, { type }: Subject) => limit.of === "*" || limit.of === type;

/** Findings about one limit: the place and its value. */
export function beyond(limit: Limit, subjects: readonly Subject[]): string[] {
  const concerned = subjects.filter((subject) => isOf(limit, subject));
  if (limit.measure === "count") return tooMany(limit, concerned);
  return concerned.flatMap((subject) =>
    valuesAt(subject.properties, limit.at.split(".")).flatMap((value) => {
      const found = refusal(limit, value);
      return found === undefined ? [] : [`${subject.name}: ${limit.at} ${found}`];
    }),
  );
}

function refusal({ measure, form, most = Infinity, least = -Infinity }: Limit, value: unknown): string | undefined {
  if (measure === "form") return form?.test(textOf(value)) ? undefined : `is ${textOf(value)}, not ${form}`;
  if (measure === "count") return undefined;
  const size = sizes[measure](value);
  return size >= least && size <= most ? undefined : `has ${size} ${measure}, not ${least} to ${most}`;
}

/**
 * Groups of subjects with equal values at every path of the limit. For unique values, subjects without a value count as
 * different.
 */
function tooMany({ at, most = Infinity }: Limit, subjects: readonly Subject[]): string[] {
  const places = at.split(",");
  const groups = Map.groupBy(subjects, ({ properties }) =>
    places.map((place) => textOf(valuesAt(properties, place.split("."))[0] ?? "")).join(" "),
  );
  return [...groups].flatMap(([key, group]) =>
    group.length > most && (most > 1 || key.trim() !== "")
      ? [`${group.length} have the same ${at}, ${key}, not ${most}: ${group.map(({ name }) => name).join(", ")}`]
      : [],
  );
}
