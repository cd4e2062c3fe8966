import { aggregate } from "../evaluation/aggregates.ts";
import { groupRows } from "../evaluation/group-rows.ts";
import { IntervalSet } from "../evaluation/interval-set.ts";
import { coveredInterval } from "../evaluation/merge-sources.ts";
import { selectCellReader } from "../evaluation/select-cell-reader.ts";
import type { SelectedGroup, Selection } from "../evaluation/select-rows.ts";
import { rankReasons, recorderComparator } from "../evaluation/source-rank.ts";
import { expressionName } from "../expressions/expression-names.ts";
import { formatFloating } from "../floating-time.ts";
import type { ResolvedQuery } from "../resolved-query.ts";
import type { CellReader, RowSet } from "../rows/row-set.ts";
import type { CellValue, RowSource, SourcePriorities } from "../rows/rows.ts";
import { type Contribution, type Explanation, sourceLabel as label, toExplainedSource } from "./explanation.ts";

/** Maximum number of intervals listed for one contribution. */
const MAX_INTERVALS = 50;

type Interval = readonly [begin: number, end: number];

/**
 * Explains each group: the rows its values come from, the rows of other sources that were set aside, and the reason.
 */
export function explainGroups(
  query: ResolvedQuery,
  set: RowSet,
  selection: Selection,
  priorities: SourcePriorities,
): Explanation[] {
  const explainer = new Explainer(query, set, selection, priorities);
  return selection.groups.map((group) => explainer.explain(group));
}

class Explainer {
  readonly #set: RowSet;
  readonly #selection: Selection;
  readonly #compare: ReturnType<typeof recorderComparator>;
  readonly #query: ResolvedQuery;

  constructor(query: ResolvedQuery, set: RowSet, selection: Selection, priorities: SourcePriorities) {
    this.#query = query;
    this.#set = set;
    this.#selection = selection;
    this.#compare = recorderComparator(priorities);
  }

  explain(group: SelectedGroup): Explanation {
    const { rule, shares } = this.#selection;
    const used = this.#bySource(group.rows).map(([source, rows, better]) => {
      return this.#contribution(source, rows, shares, (row) => better.gaps(...coveredInterval(this.#set, row)));
    });
    const rest = shares?.map((share) => 1 - share);
    const best = this.#set.sources[this.#set.sourceOf[group.rows[0] ?? 0] ?? 0];
    const setAside = this.#bySource(group.setAside, group.rows).map(([source, rows, better]) => {
      const cut = (row: number): Interval[] => {
        const extent = coveredInterval(this.#set, row);
        return rule === "strict" && !this.#isOfBestSource(row, group) ? [extent] : better.intersect(...extent);
      };
      return { ...this.#contribution(source, rows, rest, cut), because: this.#because(source, used, best) };
    });
    const group_key = group.keys.map((key, place) => (this.#isTime(place) ? formatFloating(Number(key)) : key));
    return { group: group_key, rule, used, set_aside: setAside, in_words: toSentences(rule, used, setAside) };
  }

  /** Whether a row is of the used source, so that another device or app of it was used for its time. */
  #isOfBestSource(row: number, { rows: [used] }: SelectedGroup): boolean {
    const { sourceRankOf } = this.#selection;
    return used !== undefined && sourceRankOf(used) === sourceRankOf(row);
  }

  #isTime(place: number): boolean {
    return "date_trunc" in (this.#query.group_by?.[place] ?? {});
  }

  /** Groups rows by source, best first. Each entry has the time that better sources cover, including `others`. */
  #bySource(rows: readonly number[], others: readonly number[] = []): [RowSource, readonly number[], IntervalSet][] {
    const { rankOf } = this.#selection;
    return groupRows(rows, [rankOf]).map(({ rows: own }) => {
      const rank = rankOf(own[0] ?? 0);
      const better = [...rows, ...others]
        .filter((row) => rankOf(row) < rank)
        .map((row) => coveredInterval(this.#set, row));
      const covered = new IntervalSet();
      covered.add(better.sort(([a], [b]) => a - b));
      return [this.#set.sources[this.#set.sourceOf[own[0] ?? 0] ?? 0] as RowSource, own, covered];
    });
  }

  #contribution(
    source: RowSource,
    rows: readonly number[],
    shares: Float64Array | undefined,
    cut: (row: number) => Interval[],
  ): Contribution {
    const time = new IntervalSet();
    const shifted = rows.flatMap((row) => {
      // Intervals are reported in local time, which readers recognise.
      const shift = (this.#set.floating[row] ?? 0) - (this.#set.instants[row] ?? 0);
      return cut(row).map(([begin, end]): Interval => [begin + shift, end + shift]);
    });
    time.add(shifted.sort(([a], [b]) => a - b));
    const stretches = time.intervals();
    const intervals = stretches.slice(0, MAX_INTERVALS).map(([begin, end]) => {
      return { from: formatFloating(begin), to: formatFloating(end) };
    });
    const more_intervals = Math.max(0, stretches.length - MAX_INTERVALS);
    return {
      source: toExplainedSource(source),
      rows: rows.length,
      intervals,
      more_intervals,
      values: this.#values(rows, shares),
    };
  }

  #values(rows: readonly number[], shares: Float64Array | undefined): Record<string, CellValue> {
    const order = { instants: this.#set.instants, rankOf: this.#selection.rankOf };
    const values = this.#query.select.flatMap((item): [string, CellValue][] => {
      if (!("func" in item)) return [];
      const cell: CellReader = selectCellReader(item.arg, this.#set, shares);
      return [[expressionName(item), aggregate(item.func, cell, rows, order)]];
    });
    return Object.fromEntries(values);
  }

  #because(source: RowSource, used: readonly Contribution[], best: RowSource | undefined): string {
    const winner = used.find((one) => this.#compare(one.source, source).order < 0)?.source ?? best;
    if (!winner) return "a better source covers this time completely";
    return `${label(winner)} ranks above ${label(source)}: ${rankReasons[this.#compare(winner, source).rule]}`;
  }
}

const numberFormat = new Intl.NumberFormat("en");
const countRows = (parts: readonly Contribution[]) =>
  parts.map(({ source, rows }) => `${numberFormat.format(rows)} of ${label(source)}`).join(" and ");

/** Renders the explanation as plain English sentences. */
function toSentences(rule: Explanation["rule"], used: Explanation["used"], setAside: Explanation["set_aside"]): string {
  const counted = used.length === 0 ? "No rows were used." : `Used rows: ${countRows(used)}.`;
  if (rule === "none") return `${counted} Sources were not merged; none was set aside.`;
  if (setAside.length === 0) return `${counted} No other source covers this time.`;
  const how =
    rule === "strict"
      ? "Each group uses only its best source"
      : "Where several sources cover the same time, the best one is used and the next fills its gaps";
  return `${counted} ${how}. Set aside, in whole or in part: ${countRows(setAside)}, because ${setAside.map(({ because }) => because).join("; ")}.`;
}
