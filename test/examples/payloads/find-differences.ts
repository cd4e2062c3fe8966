/** Numbers that differ by less are equal. */
const TOLERANCE = 1e-6;

const isInstant = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT.*[Z\d]$/.test(value);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lists where a value differs from the expected one. Fields that the expected one leaves out do not count. */
export function findDifferences(found: unknown, expected: unknown, path = ""): string[] {
  const differs = () => [`${path}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`];
  if (typeof found === "number" && typeof expected === "number")
    return Math.abs(found - expected) <= TOLERANCE ? [] : differs();
  if (isInstant(found) && isInstant(expected)) return Date.parse(found) === Date.parse(expected) ? [] : differs();
  if (Array.isArray(found) && Array.isArray(expected)) {
    if (found.length !== expected.length) return differs();
    return expected.flatMap((one, place) => findDifferences(found[place], one, `${path}[${place}]`));
  }
  if (Array.isArray(found) && typeof expected === "number" && path !== "")
    return found.length === expected ? [] : [`${path}: ${found.length} records instead of ${expected}`];
  if (isObject(found) && isObject(expected))
    return Object.keys(expected).flatMap((name) => findDifferences(found[name], expected[name], `${path}.${name}`));
  return found === expected ? [] : differs();
}
