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
export type RankRule = "source_type" | "provider_override" | "provider_priority" | "name" | "recorder";

/** The rules in plain English. */
export const rankReasons: Readonly<Record<RankRule, string>> = {
  source_type: "its source type is more reliable",
  provider_override: "the query ranks its provider higher",
  provider_priority: "the team ranks its provider higher",
  name: "type and priority are equal, and its name sorts first",
  recorder: "both are devices or apps of one source, and its id sorts first",
};

type Rule = readonly [RankRule, (a: RowSource, b: RowSource) => number];
type SourceComparator = (a: RowSource, b: RowSource) => { readonly order: number; readonly rule: RankRule };

/**
 * Returns a comparator that sorts better sources first: by type, the query's overrides, the team's priorities, then
 * name. A source is a provider and source type; its devices and apps are equal.
 */
const sourceComparator = (priorities: SourcePriorities): SourceComparator => comparatorOf(sourceRules(priorities));

/** Returns {@link sourceComparator} with an order of the devices, then apps, of one source: by id, unnamed ones last. */
export const recorderComparator = (priorities: SourcePriorities): SourceComparator =>
  comparatorOf([...sourceRules(priorities), ["recorder", compareRecorders]]);

/** Orders devices, then apps, of one source. */
export const compareRecorders = (a: Recorder, b: Recorder): number =>
  compareIds(a.device_id, b.device_id) || compareIds(a.app_id, b.app_id);

type Recorder = Pick<RowSource, "device_id" | "app_id">;

function compareIds(a: string | null = null, b: string | null = null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareText(a, b);
}

function sourceRules({ overrides, providers }: SourcePriorities): readonly Rule[] {
  const override = ({ provider }: RowSource) =>
    overrides.includes(provider) ? overrides.indexOf(provider) : overrides.length;
  const priority = ({ provider }: RowSource) => providers[provider] ?? 0;
  return [
    ["source_type", (a, b) => typeRank(a) - typeRank(b)],
    ["provider_override", (a, b) => override(a) - override(b)],
    ["provider_priority", (a, b) => priority(b) - priority(a)],
    ["name", (a, b) => compareText(a.provider, b.provider) || compareText(a.type, b.type)],
  ];
}

function comparatorOf(rules: readonly Rule[]): SourceComparator {
  return (a, b) => {
    for (const [rule, compare] of rules) {
      const order = compare(a, b);
      if (order !== 0) return { order, rule };
    }
    return { order: 0, rule: "name" };
  };
}

/** Rank of each source, 0 for the best. Sources of one provider and type share a rank. */
export const rankSources = (sources: readonly RowSource[], priorities: SourcePriorities): Uint32Array =>
  rankBy(sources, sourceComparator(priorities));

/** Rank of each source, 0 for the best. Sources of one provider, type, device and app share a rank. */
export const rankRecorders = (sources: readonly RowSource[], priorities: SourcePriorities): Uint32Array =>
  rankBy(sources, recorderComparator(priorities));

function rankBy(sources: readonly RowSource[], compare: SourceComparator): Uint32Array {
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
