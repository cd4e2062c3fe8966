import rows from "../../../../data/lab-catalogue/report-names.json" with { type: "json" };
import type { PackedCatalogue, PackedResult } from "../../lab-tests/packed-catalogue.ts";
import { type Dimension, dimensionOf } from "../row/report-units.ts";
import {
  compactKey,
  findSampleType,
  foldConfusables,
  nameKey,
  type SampleType,
  tokenizeName,
  toTrigrams,
} from "./fold-name.ts";

/** A result of the catalogue with the data that matching needs. */
export interface KnownResult {
  readonly result: PackedResult;
  readonly sample: SampleType;
  /** Null for qualitative results. */
  readonly dimension: Dimension | null;
  /** Typical minimum and maximum value in the catalogue's unit; null if qualitative or unknown. */
  readonly usual: readonly [number, number] | null;
  /** Names of the result in reports. */
  readonly names: readonly string[];
}

/** A corrected test name and its LOINC code. */
export interface LearnedAlias {
  readonly name: string;
  readonly loinc: string;
}

/** A name of a result with its trigrams. */
interface KnownName {
  readonly known: KnownResult;
  readonly name: string;
  readonly trigrams: ReadonlySet<string>;
}

/** The catalogue's results, indexed by the names that reports use. */
export interface ReportCatalogue {
  /** By name key. Learned names are in `learned`. */
  readonly byKey: ReadonlyMap<string, readonly KnownResult[]>;
  readonly learned: ReadonlyMap<string, KnownResult>;
  readonly names: readonly KnownName[];
  readonly words: KnownWords;
}

/** The words of all names. */
interface KnownWords {
  /** In lower case. */
  readonly known: ReadonlySet<string>;
  /** By confusable form, if only one word has it. */
  readonly byLook: ReadonlyMap<string, string>;
}

const byLoinc = new Map(rows.map((row) => [row.loinc, row]));

/** Builds the index of names from the catalogue and the learned aliases. */
export function buildReportCatalogue(
  packed: Pick<PackedCatalogue, "results">,
  learned: readonly LearnedAlias[] = [],
): ReportCatalogue {
  const known = packed.results.map(toKnown);
  const byKey = new Map<string, KnownResult[]>();
  const names: KnownName[] = [];
  for (const one of known) {
    for (const name of one.names) {
      const words = tokenizeName(name);
      names.push({ known: one, name, trigrams: toTrigrams(foldConfusables(words.join(" "))) });
      for (const key of nameKeys(words)) {
        const others = byKey.get(key) ?? [];
        if (!others.includes(one)) byKey.set(key, [...others, one]);
      }
    }
  }
  const byCode = new Map(known.map((one) => [one.result.loinc, one]));
  const set = learned.flatMap(({ name, loinc }) => {
    const one = byCode.get(loinc);
    return one ? nameKeys(tokenizeName(name)).map((key) => [key, one] as const) : [];
  });
  return { byKey, learned: new Map(set), names, words: collectWords(names) };
}

function collectWords(names: readonly KnownName[]): KnownWords {
  const words = names.flatMap(({ name }) => name.match(/[\p{L}\p{N}]{2,}/gu) ?? []);
  const looks = Map.groupBy(new Set(words), foldConfusables);
  const only = [...looks].flatMap(([look, [word = "", ...others]]) => {
    const isOne = others.every((other) => other.toLowerCase() === word.toLowerCase());
    return isOne && look.length > 2 ? [[look, word] as const] : [];
  });
  return { known: new Set(words.map((word) => word.toLowerCase())), byLook: new Map(only) };
}

/** The keys of a name: its words in any order, and its letters in order. */
export const nameKeys = (words: readonly string[]): string[] => [nameKey(words), `=${compactKey(words)}`];

function toKnown(result: PackedResult): KnownResult {
  const row = byLoinc.get(result.loinc);
  const [low, high] = row?.usual ?? [];
  return {
    result,
    sample: sampleTypeOfLoincName(result.loinc_name),
    dimension: result.unit === null ? null : dimensionOf(result.unit),
    usual: low === undefined || high === undefined ? null : [low, high],
    names: [...new Set([result.name, ...(row?.names ?? [])])],
  };
}

/** A LOINC long name ends with the sample: `Glucose [Mass/volume] in Serum or Plasma`. */
function sampleTypeOfLoincName(loincName: string): SampleType {
  const [, system = ""] = /\b(?:in|of) ([^[\]]+)$/.exec(loincName) ?? [];
  return findSampleType(tokenizeName(system)) ?? "blood";
}

/** Reports whether the catalogue has a name. */
export const isKnownName = ({ byKey, learned }: ReportCatalogue, name: string): boolean =>
  nameKeys(tokenizeName(name)).some((key) => byKey.has(key) || learned.has(key));
