import type { SourcePriorities } from "../../../lib/domain/aggregation/rows.ts";
import type { Row } from "./rows.ts";

const placeIn = (list: readonly string[], name: string) => (list.includes(name) ? list.indexOf(name) : list.length);

/** Best first (wire reference, 8); the last place is that of `unknown` and of all types that it does not name. */
const typeOrder =
  "lab automatic watch ring chest_strap scale cuff fingerprick manual_scan phone app multiple_sources".split(" ");

type Source = Pick<Row, "provider" | "type">;

/** Negative where the first source goes before the second: by type, then by provider. */
export function compareSources(a: Source, b: Source, { overrides, providers }: SourcePriorities): number {
  const byType = placeIn(typeOrder, a.type) - placeIn(typeOrder, b.type);
  const byOverride = placeIn(overrides, a.provider) - placeIn(overrides, b.provider);
  const byNumber = (providers[b.provider] ?? 0) - (providers[a.provider] ?? 0);
  // Where nothing decides, names do, so that answers do not depend on the order in which data came.
  const [left, right] = [`${a.provider} ${a.type}`, `${b.provider} ${b.type}`];
  return byType || byOverride || byNumber || (left < right ? -1 : left > right ? 1 : 0);
}

/** Of each source one row, best first. */
export function sourcesOf(rows: readonly Row[], priorities: SourcePriorities): Source[] {
  const isFirst = (row: Row, index: number) =>
    rows.findIndex(({ provider, type }) => provider === row.provider && type === row.type) === index;
  return rows.filter(isFirst).toSorted((a, b) => compareSources(a, b, priorities));
}

/** The rows of the best source of a group; all others are dropped. */
export function keepBest(rows: readonly Row[], priorities: SourcePriorities): Row[] {
  const [best] = sourcesOf(rows, priorities);
  return rows.filter(({ provider, type }) => provider === best?.provider && type === best.type);
}
