import { WordIndex } from "../lab-tests/word-index.ts";

/** Diagnosis codes with their rules, as the data file keeps them; see docs/insurance.md. */
export interface DiagnosisData {
  /** Which codes these are, for people. */
  readonly release: string;
  /** Whether a code that is not here is none. */
  readonly is_complete: boolean;
  /** Beginnings of codes that are never the first diagnosis. */
  readonly secondary: readonly string[];
  /** Beginnings of codes, and what must not (1) or need not (2) be meant beside: beginnings, or ranges of categories. */
  readonly excludes1: Readonly<Record<string, readonly string[]>>;
  readonly excludes2: Readonly<Record<string, readonly string[]>>;
  /** A code, a space and its description each. */
  readonly codes: readonly string[];
}

export interface Diagnosis {
  readonly diagnosis_code: string;
  readonly description: string;
  readonly is_secondary: boolean;
}

/** The most diagnoses that a search answers. */
const MOST_FOUND = 50;

const undotted = (code: string) => code.replace(".", "");
/** The code as it is written, with a dot after the category. */
export const dotted = (code: string) => (code.length > 3 ? `${code.slice(0, 3)}.${code.slice(3)}` : code);

/** A letter, a digit, a digit or A or B, and up to four more; X only holds a place that another character follows. */
const form = /^[A-Z]\d[0-9AB](?:[0-9A-Z]{0,3}[0-9A-WYZ])?$/;

/** The code without its dot, in capitals; undefined for what has not the form of a code. */
export function readCode(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  const isDotted = code[3] === "." && code.length > 4;
  const plain = isDotted ? undotted(code) : code;
  return form.test(plain) ? plain : undefined;
}

/** Whether a code without dot is one of those that a rule speaks of: `E11`, `O24.4`, `O10-O16`. */
export function isOf(code: string, group: string): boolean {
  const [first = "", last] = group.split("-").map(undotted);
  if (last === undefined) return code.startsWith(first);
  return code.slice(0, first.length) >= first && code.slice(0, last.length) <= last;
}

/** Diagnosis codes to search and to look up. */
export class Diagnoses {
  readonly data: DiagnosisData;
  readonly #index: WordIndex;
  readonly #codes: ReadonlySet<string>;
  /** Every beginning of a longer code: categories, which are no diagnoses themselves. */
  readonly #categories = new Set<string>();

  constructor(data: DiagnosisData) {
    this.data = data;
    const codes = data.codes.map((line) => undotted(line.slice(0, line.indexOf(" "))));
    this.#codes = new Set(codes);
    for (const code of codes) {
      for (let length = 3; length < code.length; length++) this.#categories.add(code.slice(0, length));
    }
    this.#index = new WordIndex(data.codes.map((line, place) => `${codes[place]} ${line.slice(line.indexOf(" "))}`));
  }

  /** Diagnoses by the beginning of a code or of the words of a description, in any order and with a typo in each. */
  search(query: string): Diagnosis[] {
    const typed = query.replaceAll(/\b([a-z]\d[0-9a-z])\.([0-9a-z]+)/gi, "$1$2");
    const found = this.#index.search(typed);
    return found.slice(0, MOST_FOUND).map(({ place }) => this.#diagnosisAt(place));
  }

  #diagnosisAt(place: number): Diagnosis {
    const line = this.data.codes[place] ?? "";
    const diagnosis_code = line.slice(0, line.indexOf(" "));
    const is_secondary = this.data.secondary.some((group) => isOf(undotted(diagnosis_code), group));
    return { diagnosis_code, description: line.slice(diagnosis_code.length + 1), is_secondary };
  }

  /** What is wrong with a code of the right form, undefined if nothing is known to be. */
  problemOf(code: string): string | undefined {
    if (this.#codes.has(code)) return undefined;
    if (this.#categories.has(code)) return "is a category: a diagnosis has more characters";
    return this.data.is_complete ? `is no code of ${this.data.release}` : undefined;
  }
}
