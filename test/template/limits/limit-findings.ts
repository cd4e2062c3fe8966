import type { AwsLimit, Measure } from "./aws-limits.ts";
import type { LimitSubject } from "./limit-subjects.ts";

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

const appliesTo = (limit: AwsLimit, { type }: LimitSubject) => limit.type === "*" || limit.type === type;

/** Findings about one limit: the place and its value. */
export function findExceeded(limit: AwsLimit, subjects: readonly LimitSubject[]): string[] {
  const concerned = subjects.filter((subject) => appliesTo(limit, subject));
  if (limit.measure === "count") return findDuplicates(limit, concerned);
  return concerned.flatMap((subject) =>
    valuesAt(subject.properties, limit.path.split(".")).flatMap((value) => {
      const found = describeExcess(limit, value);
      return found === undefined ? [] : [`${subject.name}: ${limit.path} ${found}`];
    }),
  );
}

function describeExcess(
  { measure, form, max = Infinity, min = -Infinity }: AwsLimit,
  value: unknown,
): string | undefined {
  if (measure === "form") return form?.test(textOf(value)) ? undefined : `is ${textOf(value)}, not ${form}`;
  if (measure === "count") return undefined;
  const size = sizes[measure](value);
  return size >= min && size <= max ? undefined : `has ${size} ${measure}, not ${min} to ${max}`;
}

/**
 * Groups of subjects with equal values at every path of the limit. For unique values, subjects without a value count as
 * different.
 */
function findDuplicates({ path, max = Infinity }: AwsLimit, subjects: readonly LimitSubject[]): string[] {
  const places = path.split(",");
  const groups = Map.groupBy(subjects, ({ properties }) =>
    places.map((place) => textOf(valuesAt(properties, place.split("."))[0] ?? "")).join(" "),
  );
  return [...groups].flatMap(([key, group]) =>
    group.length > max && (max > 1 || key.trim() !== "")
      ? [`${group.length} have the same ${path}, ${key}, not ${max}: ${group.map(({ name }) => name).join(", ")}`]
      : [],
  );
}
