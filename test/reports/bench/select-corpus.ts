import { allLayouts } from "../layouts/all-layouts.ts";
import { heldOutLayouts } from "../layouts/held-out/held-out-layouts.ts";
import type { Layout } from "../layouts/layout.ts";

/** Number of reports per layout: together more than 2,000 rows. */
const SEEDS_PER_LAYOUT = 2;

/** A selection of reports. */
export interface CorpusSelection {
  readonly isHeldOut: boolean;
  /** Names of layouts; empty for all. */
  readonly names: readonly string[];
  readonly seed: number;
  /** Maximum number of reports. */
  readonly limit: number;
}

/**
 * Selects the layouts and seeds of a corpus, every layout once before any repeats.
 * @throws Error for an unknown name.
 */
export function selectCorpus({
  isHeldOut,
  names,
  seed,
  limit,
}: CorpusSelection): { readonly layout: Layout; readonly seed: number }[] {
  const offered = isHeldOut ? heldOutLayouts : allLayouts;
  const unknown = names.filter((name) => !offered.some((layout) => layout.name === name));
  if (unknown.length > 0)
    throw new Error(`no such layout: ${unknown.join(", ")}. There are: ${offered.map(({ name }) => name).join(", ")}`);
  const chosen = offered.filter(({ name }) => names.length === 0 || names.includes(name));
  const rounds = Array.from({ length: SEEDS_PER_LAYOUT }, (_, round) => round);
  return rounds.flatMap((round) => chosen.map((layout) => ({ layout, seed: seed + round }))).slice(0, limit);
}
