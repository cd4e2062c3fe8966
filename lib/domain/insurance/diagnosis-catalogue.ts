import { WordIndex } from "../lab-tests/word-index.ts";

/** Diagnosis codes with their rules, in the format of the data file; see docs/insurance.md. */
export interface DiagnosisData {
  /** Display name of the code set and its release. */
  readonly release: string;
  /** Whether the list is complete, so that an unlisted code is invalid. */
  readonly is_complete: boolean;
  /** Prefixes of codes that are never the first diagnosis. */
  readonly secondary: readonly string[];
  /** Excludes1 and Excludes2 notes: code prefix, and the prefixes or category ranges that the note excludes. */
  readonly excludes1: Readonly<Record<string, readonly string[]>>;
  readonly excludes2: Readonly<Record<string, readonly string[]>>;
  /** Each element is a code, a space and a description. */
  readonly codes: readonly string[];
}

export interface Diagnosis {
  readonly diagnosis_code: string;
  readonly description: string;
  readonly is_secondary: boolean;
}

/** Maximum number of results of a search. */
const MAX_SEARCH_RESULTS = 50;

const removeDot = (code: string) => code.replace(".", "");
/** Formats a code with a dot after its category. */
export const formatIcdCode = (code: string) => (code.length > 3 ? `${code.slice(0, 3)}.${code.slice(3)}` : code);

/**
 * A letter, a digit, a digit or A or B, and up to four more characters; X is a placeholder and never the last of them.
 */
const ICD_CODE_PATTERN = /^[A-Z]\d[0-9AB](?:[0-9A-Z]{0,3}[0-9A-WYZ])?$/;

/** Parses a code to upper case without its dot; undefined for text that is not in the form of a code. */
export function parseIcdCode(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  const isDotted = code[3] === "." && code.length > 4;
  const plain = isDotted ? removeDot(code) : code;
  return ICD_CODE_PATTERN.test(plain) ? plain : undefined;
}

/** Whether a code without its dot is in a group: a prefix such as `E11` or `O24.4`, or a range such as `O10-O16`. */
export function isInCodeGroup(code: string, group: string): boolean {
  const [first = "", last] = group.split("-").map(removeDot);
  if (last === undefined) return code.startsWith(first);
  return code.slice(0, first.length) >= first && code.slice(0, last.length) <= last;
}

/** Catalogue of diagnosis codes, with lookup and search. */
export class DiagnosisCatalogue {
  readonly data: DiagnosisData;
  readonly #index: WordIndex;
  readonly #codes: ReadonlySet<string>;
  /** Prefixes of longer codes: categories, which are not valid diagnoses. */
  readonly #categories = new Set<string>();

  constructor(data: DiagnosisData) {
    this.data = data;
    const codes = data.codes.map((line) => removeDot(line.slice(0, line.indexOf(" "))));
    this.#codes = new Set(codes);
    for (const code of codes) {
      for (let length = 3; length < code.length; length++) this.#categories.add(code.slice(0, length));
    }
    this.#index = new WordIndex(data.codes.map((line, place) => `${codes[place]} ${line.slice(line.indexOf(" "))}`));
  }

  /** Searches by prefixes of a code or of words of a description, in any order; tolerates one typo in each word. */
  search(query: string): Diagnosis[] {
    const typed = query.replaceAll(/\b([a-z]\d[0-9a-z])\.([0-9a-z]+)/gi, "$1$2");
    const found = this.#index.search(typed);
    return found.slice(0, MAX_SEARCH_RESULTS).map(({ place }) => this.#diagnosisAt(place));
  }

  #diagnosisAt(place: number): Diagnosis {
    const line = this.data.codes[place] ?? "";
    const diagnosis_code = line.slice(0, line.indexOf(" "));
    const is_secondary = this.data.secondary.some((group) => isInCodeGroup(removeDot(diagnosis_code), group));
    return { diagnosis_code, description: line.slice(diagnosis_code.length + 1), is_secondary };
  }

  /** Problem of a well-formed code; undefined if none is known. */
  findCodeProblem(code: string): string | undefined {
    if (this.#codes.has(code)) return undefined;
    if (this.#categories.has(code)) return "is a category, not a diagnosis: use a longer code";
    return this.data.is_complete ? `is not a code of ${this.data.release}` : undefined;
  }
}
