/**
 * Cache of compiled patterns. Patterns come from policies: they are few, and every call is compared with many. Only the
 * sessions of assumed roles have patterns of their own, as many as teams.
 */
const compiled = new Map<string, RegExp>();
const MAX_COMPILED = 20_000;

/** Whether `value` matches an IAM pattern: `*` matches any characters, `?` matches one. */
export function matchesWildcard(pattern: string, value: string): boolean {
  const known = compiled.get(pattern) ?? compile(pattern);
  if (compiled.size < MAX_COMPILED) compiled.set(pattern, known);
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
 * Whether an ARN matches an ARN pattern. Each of the six parts between colons is matched separately, so a wildcard does
 * not cross a colon (IAM user guide, "ARN condition operators"). The pattern `*` matches every ARN. A pattern with
 * fewer parts matches none.
 */
export function matchesArn(pattern: string, arn: string): boolean {
  if (pattern === "*") return true;
  const patterns = arnParts(pattern);
  const parts = arnParts(arn);
  return patterns.length === parts.length && patterns.every((part, index) => matchesWildcard(part, parts[index] ?? ""));
}

function arnParts(arn: string): string[] {
  const parts = arn.split(":");
  return [...parts.slice(0, 5), parts.slice(5).join(":")];
}
