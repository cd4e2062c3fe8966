import type { RowSource, SourcePriorities } from "./rows.ts";

/** Kinds of source from the most reliable to the least, as published; one that is not named counts as unknown. */
export const sourceTypeOrder: readonly string[] = [
  "lab",
  "automatic",
  "watch",
  "ring",
  "chest_strap",
  "scale",
  "cuff",
  "fingerprick",
  "manual_scan",
  "phone",
  "app",
  "multiple_sources",
  "unknown",
];

const typeRank = ({ type }: RowSource) => {
  const rank = sourceTypeOrder.indexOf(type);
  return rank < 0 ? sourceTypeOrder.length - 1 : rank;
};

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Why one source goes before another. */
export type RankRule = "source_type" | "provider_override" | "provider_priority" | "name";

/** The same for a person to read. */
export const rankReasons: Readonly<Record<RankRule, string>> = {
  source_type: "its kind of source is more reliable",
  provider_override: "the query puts its provider first",
  provider_priority: "the team gives its provider a higher priority",
  name: "neither kind nor priority decides, and its name comes first",
};

/** Orders sources, the better first: by type, then the query's own order, the team's priorities, names. */
export function compareSources({ overrides, providers }: SourcePriorities) {
  const override = ({ provider }: RowSource) =>
    overrides.includes(provider) ? overrides.indexOf(provider) : overrides.length;
  const priority = ({ provider }: RowSource) => providers[provider] ?? 0;
  const rules: readonly [RankRule, (a: RowSource, b: RowSource) => number][] = [
    ["source_type", (a, b) => typeRank(a) - typeRank(b)],
    ["provider_override", (a, b) => override(a) - override(b)],
    ["provider_priority", (a, b) => priority(b) - priority(a)],
    ["name", (a, b) => compareText(a.provider, b.provider) || compareText(a.type, b.type)],
  ];
  return (a: RowSource, b: RowSource): { order: number; rule: RankRule } => {
    for (const [rule, compare] of rules) {
      const order = compare(a, b);
      if (order !== 0) return { order, rule };
    }
    return { order: 0, rule: "name" };
  };
}

/** The rank of each source, 0 for the best; sources of one provider and type have the same. */
export function ranksOf(sources: readonly RowSource[], priorities: SourcePriorities): Uint32Array {
  const compare = compareSources(priorities);
  const order = sources.toSorted((a, b) => compare(a, b).order);
  const ranks = new Uint32Array(sources.length);
  let rank = 0;
  for (const [position, source] of order.entries()) {
    const before = order[position - 1];
    if (before && compare(before, source).order !== 0) rank++;
    for (const [index, one] of sources.entries()) if (one === source) ranks[index] = rank;
  }
  return ranks;
}
