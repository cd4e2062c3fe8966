/** Patterns come from policies, so there are few, and every call is compared with many of them. */
const compiled = new Map<string, RegExp>();

/** Whether `value` matches an IAM pattern, in which `*` stands for any characters and `?` for one. */
export function matchesPattern(pattern: string, value: string): boolean {
  const known = compiled.get(pattern) ?? compile(pattern);
  compiled.set(pattern, known);
  return known.test(value);
}

function compile(pattern: string): RegExp {
  const source = pattern.replace(/[.*+?^${}()|[\]\\]/g, (character) => {
    if (character === "*") return ".*";
    return character === "?" ? "." : `\\${character}`;
  });
  return new RegExp(`^${source}$`, "s");
}

/**
 * Whether an ARN matches an ARN pattern: each of the six parts between colons on its own, so that a wildcard in one
 * part cannot reach into the next (IAM user guide, "ARN condition operators"). A bare `*` matches everything;
 * a pattern with fewer parts matches nothing.
 */
export function matchesArn(pattern: string, arn: string): boolean {
  if (pattern === "*") return true;
  const patterns = arnParts(pattern);
  const parts = arnParts(arn);
  return patterns.length === parts.length && patterns.every((part, index) => matchesPattern(part, parts[index] ?? ""));
}

function arnParts(arn: string): string[] {
  const parts = arn.split(":");
  return [...parts.slice(0, 5), parts.slice(5).join(":")];
}
