type Stored = Readonly<Record<string, unknown>>;

/** Selects the fields of stored records that the simulator's truth has, in its order. @param key identifies records. */
export function pickTruthFields(stored: readonly Stored[], truth: readonly Stored[], key: string) {
  const byKey = new Map(stored.map((one) => [normalizeKey(one[key]), one]));
  return truth.map((right) => {
    const one = byKey.get(normalizeKey(right[key])) ?? {};
    // A sleep's provider id is stored and not returned.
    const names = Object.keys(right).filter((name) => name === key || name !== "provider_id");
    return Object.fromEntries(names.map((name) => [name, normalize(one[name], right[name])]));
  });
}

const normalizeKey = (value: unknown) => (/^\d{4}-\d\d-\d\dT/.test(String(value)) ? Date.parse(String(value)) : value);

/** Normalizes instants, rounds numbers to floating-point precision, and keeps the members that the truth has. */
function normalize(value: unknown, right: unknown): unknown {
  if (typeof value === "number" && typeof right === "number" && Math.abs(value - right) < 1e-6) return right;
  if (typeof value === "string" && typeof right === "string" && Date.parse(value) === Date.parse(right)) return right;
  if (value !== null && typeof value === "object" && right !== null && typeof right === "object") {
    const both = Object.entries(right).map(([name, of]) => [name, normalize((value as Stored)[name], of)]);
    return Array.isArray(right) && Array.isArray(value) ? value : Object.fromEntries(both);
  }
  return value;
}
