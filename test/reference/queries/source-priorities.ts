import type { SourcePriorities } from "../../../lib/domain/queries/rows/rows.ts";
import type { ReferenceRow } from "./reference-rows.ts";

const rankIn = (list: readonly string[], name: string) => (list.includes(name) ? list.indexOf(name) : list.length);

/** Source types, best first. `unknown` and unlisted types rank last. */
const typeOrder =
  "lab automatic watch ring chest_strap scale cuff fingerprick manual_scan phone app multiple_sources".split(" ");

type Source = Pick<ReferenceRow, "provider" | "type">;

/** Compares sources by type, then by provider; negative if the first ranks higher. */
export function compareSources(a: Source, b: Source, { overrides, providers }: SourcePriorities): number {
  const byType = rankIn(typeOrder, a.type) - rankIn(typeOrder, b.type);
  const byOverride = rankIn(overrides, a.provider) - rankIn(overrides, b.provider);
  const byNumber = (providers[b.provider] ?? 0) - (providers[a.provider] ?? 0);
  // Names decide between equal sources, so that results do not depend on the order of arrival.
  const [left, right] = [`${a.provider} ${a.type}`, `${b.provider} ${b.type}`];
  return byType || byOverride || byNumber || (left < right ? -1 : left > right ? 1 : 0);
}

/** One row of each source, best first. */
function listSources(rows: readonly ReferenceRow[], priorities: SourcePriorities): Source[] {
  const isFirst = (row: ReferenceRow, index: number) =>
    rows.findIndex(({ provider, type }) => provider === row.provider && type === row.type) === index;
  return rows.filter(isFirst).toSorted((a, b) => compareSources(a, b, priorities));
}

/** Keeps the rows of a group's best source. */
export function keepBestSource(rows: readonly ReferenceRow[], priorities: SourcePriorities): ReferenceRow[] {
  const [best] = listSources(rows, priorities);
  return rows.filter(({ provider, type }) => provider === best?.provider && type === best.type);
}
