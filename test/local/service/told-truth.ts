type Stored = Readonly<Record<string, unknown>>;

/** Those fields of stored records that the truth has, in the order of the truth. @param key by which they are found. */
export function told(stored: readonly Stored[], truth: readonly Stored[], key: string) {
  const byKey = new Map(stored.map((one) => [keyOf(one[key]), one]));
  return truth.map((right) => {
    const one = byKey.get(keyOf(right[key])) ?? {};
    // Of a sleep the provider's id is kept and not answered.
    const names = Object.keys(right).filter((name) => name === key || name !== "provider_id");
    return Object.fromEntries(names.map((name) => [name, plain(one[name], right[name])]));
  });
}

const keyOf = (value: unknown) => (/^\d{4}-\d\d-\d\dT/.test(String(value)) ? Date.parse(String(value)) : value);

/** Instants in one spelling, numbers as near as floating point goes, and of a sport what the truth names of it. */
function plain(value: unknown, right: unknown): unknown {
  if (typeof value === "number" && typeof right === "number" && Math.abs(value - right) < 1e-6) return right;
  if (typeof value === "string" && typeof right === "string" && Date.parse(value) === Date.parse(right)) return right;
  if (value !== null && typeof value === "object" && right !== null && typeof right === "object") {
    return Object.fromEntries(Object.keys(right).map((name) => [name, (value as Stored)[name]]));
  }
  return value;
}
