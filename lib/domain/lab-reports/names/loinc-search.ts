import type { PackedCatalogue, PackedResult } from "../../lab-tests/packed-catalogue.ts";
import { WordIndex } from "../../lab-tests/word-index.ts";
import type { LoincMatch } from "../wire-parsing-job.ts";

/** Searches LOINC codes by test name. */
export class LoincSearch {
  readonly #results: readonly PackedResult[];
  readonly #byCode: ReadonlyMap<string, PackedResult>;
  #index: WordIndex | undefined;

  constructor({ results }: Pick<PackedCatalogue, "results">) {
    this.#results = results;
    this.#byCode = new Map(results.map((result) => [result.loinc, result]));
  }

  /** The matching codes, best first. */
  search(typed: string, most: number): LoincMatch[] {
    this.#index ??= new WordIndex(this.#results.map(({ name, loinc_name, loinc }) => `${name} ${loinc_name} ${loinc}`));
    return this.#index
      .search(typed)
      .flatMap(({ place, fit }) => {
        const result = this.#results[place];
        return result ? [toLoincMatch(result, 1 / (1 + fit / 4))] : [];
      })
      .slice(0, most);
  }

  /** The code with full confidence, as a reviewer selects it; undefined if the catalogue does not have it. */
  findByCode(code: string): LoincMatch | undefined {
    const result = this.#byCode.get(code);
    return result && toLoincMatch(result, 1);
  }
}

const toLoincMatch = ({ loinc, loinc_name, name }: PackedResult, confidence_score: number): LoincMatch => ({
  loinc_code: loinc,
  loinc_name,
  display_name: name,
  aliases: [],
  confidence_score,
});
