/** A sport as workout records name it. */
export interface Sport {
  readonly name: string;
  readonly slug: string;
}

/** Normalizes the name of a sport in any spelling: `STRENGTH_TRAINING`, `TrailRun`, `trail-running`. */
export function parseSport(words: string): Sport {
  const spaced = words.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll(/[^\p{L}\p{N}]+/gu, " ");
  const name = spaced.trim().toLowerCase() || "unknown";
  return { name: name.charAt(0).toUpperCase() + name.slice(1), slug: name.replaceAll(" ", "_") };
}
