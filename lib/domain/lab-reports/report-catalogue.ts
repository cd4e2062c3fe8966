import rows from "../../../data/lab-catalogue/report-names.json" with { type: "json" };
import type { PackedCatalogue, PackedResult } from "../lab-tests/packed-catalogue.ts";
import { compactKey, foldLookalikes, nameKey, nameWords, type Sample, sampleIn, trigramsOf } from "./fold-name.ts";
import { type Dimension, dimensionOf } from "./report-units.ts";

/** What the catalogue knows of a result, seen from reports. */
export interface KnownResult {
  readonly result: PackedResult;
  readonly sample: Sample;
  /** Null for results in words. */
  readonly dimension: Dimension | null;
  /** Between which numbers values usually are, in the catalogue's unit; null for results in words and where unknown. */
  readonly usual: readonly [number, number] | null;
  /** How reports name it. */
  readonly names: readonly string[];
}

/** A name that a person has set right, and the code that it stands for. */
export interface LearnedAlias {
  readonly name: string;
  readonly loinc: string;
}

/** A name of a result with what comparing it needs. */
export interface KnownName {
  readonly known: KnownResult;
  readonly name: string;
  readonly trigrams: ReadonlySet<string>;
}

/** The catalogue's results by the names that reports give them. */
export interface ReportCatalogue {
  /** By key of a name; those that a person has set come alone. */
  readonly byKey: ReadonlyMap<string, readonly KnownResult[]>;
  readonly learned: ReadonlyMap<string, KnownResult>;
  readonly names: readonly KnownName[];
  readonly words: KnownWords;
}

/** The words of which names are made. */
export interface KnownWords {
  /** In lower case. */
  readonly known: ReadonlySet<string>;
  /** By what a scan makes of them; only those that no other looks like. */
  readonly byLook: ReadonlyMap<string, string>;
}

const byLoinc = new Map(rows.map((row) => [row.loinc, row]));

/** Makes the names of reports ready from the catalogue, and from what was learned of corrections. */
export function reportCatalogue(
  packed: Pick<PackedCatalogue, "results">,
  learned: readonly LearnedAlias[] = [],
): ReportCatalogue {
  const known = packed.results.map(toKnown);
  const byKey = new Map<string, KnownResult[]>();
  const names: KnownName[] = [];
  for (const one of known) {
    for (const name of one.names) {
      const words = nameWords(name);
      names.push({ known: one, name, trigrams: trigramsOf(foldLookalikes(words.join(" "))) });
      for (const key of keysOf(words)) {
        const others = byKey.get(key) ?? [];
        if (!others.includes(one)) byKey.set(key, [...others, one]);
      }
    }
  }
  const byCode = new Map(known.map((one) => [one.result.loinc, one]));
  const set = learned.flatMap(({ name, loinc }) => {
    const one = byCode.get(loinc);
    return one ? keysOf(nameWords(name)).map((key) => [key, one] as const) : [];
  });
  return { byKey, learned: new Map(set), names, words: wordsOf(names) };
}

function wordsOf(names: readonly KnownName[]): KnownWords {
  const words = names.flatMap(({ name }) => name.match(/[\p{L}\p{N}]{2,}/gu) ?? []);
  const looks = Map.groupBy(new Set(words), foldLookalikes);
  const only = [...looks].flatMap(([look, [word = "", ...others]]) => {
    const isOne = others.every((other) => other.toLowerCase() === word.toLowerCase());
    return isOne && look.length > 2 ? [[look, word] as const] : [];
  });
  return { known: new Set(words.map((word) => word.toLowerCase())), byLook: new Map(only) };
}

/** By what a name is found: its words in any order, and its letters in their order. */
export const keysOf = (words: readonly string[]): string[] => [nameKey(words), `=${compactKey(words)}`];

function toKnown(result: PackedResult): KnownResult {
  const row = byLoinc.get(result.loinc);
  const [low, high] = row?.usual ?? [];
  return {
    result,
    sample: sampleOf(result.loinc_name),
    dimension: result.unit === null ? null : dimensionOf(result.unit),
    usual: low === undefined || high === undefined ? null : [low, high],
    names: [...new Set([result.name, ...(row?.names ?? [])])],
  };
}

/** LOINC's long names end in the sample: `Glucose [Mass/volume] in Serum or Plasma`. */
function sampleOf(loincName: string): Sample {
  const [, system = ""] = /\b(?:in|of) ([^[\]]+)$/.exec(loincName) ?? [];
  return sampleIn(nameWords(system)) ?? "blood";
}

/** Whether a name is in the catalogue as it stands. */
export const isKnownName = ({ byKey, learned }: ReportCatalogue, name: string): boolean =>
  keysOf(nameWords(name)).some((key) => byKey.has(key) || learned.has(key));
