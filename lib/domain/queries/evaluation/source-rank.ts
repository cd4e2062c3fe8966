import { compareText } from "../../shared/compare-text.ts";
import type { RowSource, SourcePriorities } from "../rows/rows.ts";

/** Source types from most to least reliable, as the public API documents them. Unlisted types count as unknown. */
const sourceTypeOrder: readonly string[] = [
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

/** The rule that ranks one source above another. */
export type RankRule = "source_type" | "provider_override" | "provider_priority" | "name";

/** The rules in plain English. */
export const rankReasons: Readonly<Record<RankRule, string>> = {
  source_type: "its source type is more reliable",
  provider_override: "the query ranks its provider higher",
  provider_priority: "the team ranks its provider higher",
  name: "type and priority are equal, and its name sorts first",
};

/**
 * Returns a comparator that sorts better sources first: by type, the query's overrides, the team's priorities, then
 * name.
 */
export function sourceComparator({ overrides, providers }: SourcePriorities) {
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

/** Rank of each source, 0 for the best. Sources of one provider and type share a rank. */
export function rankSources(sources: readonly RowSource[], priorities: SourcePriorities): Uint32Array {
  const compare = sourceComparator(priorities);
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
