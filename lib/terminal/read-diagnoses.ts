import { SaxesParser } from "saxes";

/** The rules of a tabular list: beginnings or ranges of codes, and what each excludes. */
export interface TabularRules {
  readonly excludes1: Record<string, string[]>;
  readonly excludes2: Record<string, string[]>;
  /** Codes that another one has to come before. */
  readonly secondary: string[];
}

const dotted = (code: string) => (code.length > 3 ? `${code.slice(0, 3)}.${code.slice(3)}` : code);

/**
 * Reads the order file of an ICD-10-CM release (`icd10cm_order_YYYY.txt`: columns of fixed width).
 * @returns a code, a space and its long description each, for codes that can be reported.
 * @throws Error with the line that is no line of such a file.
 */
export function readOrderFile(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "") return [];
    const [, code, isReported, description] = /^\d{5} ([A-Z]\d\w{1,5}) +([01]) .{60} (.+?) *$/.exec(line) ?? [];
    if (!code || !description) throw new Error(`line ${index + 1}: not a line of an ICD-10-CM order file`);
    return isReported === "1" ? [`${dotted(code)} ${description}`] : [];
  });
}

/** A code, a beginning of codes (`E10.-`) or a range (`E08-E13`), as notes name them. */
const named = /([A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?)(?:-([A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?))?/g;

/** The codes that a note names in brackets: "type 1 diabetes mellitus (E10.-)". */
function codesIn(note: string): string[] {
  const bracketed = [...note.matchAll(/\(([^()]*)\)/g)].map(([, inside = ""]) => inside).join(" ");
  return [...bracketed.matchAll(named)].map(([, first = "", last]) => (last ? `${first}-${last}` : first));
}

/** Where in the list a note stands: a code, a section of codes, or a chapter that ends with its range. */
interface Place {
  group: string | undefined;
}

/** Reads the tabular list of an ICD-10-CM release (`icd10cm_tabular_YYYY.xml`). @throws Error where it is no XML. */
export function readTabular(xml: string): TabularRules {
  const rules: TabularRules = { excludes1: {}, excludes2: {}, secondary: [] };
  const places: Place[] = [];
  const path: string[] = [];
  let text = "";
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    path.push(name);
    text = "";
    if (["chapter", "section", "diag"].includes(name)) places.push({ group: String(attributes.id ?? "") || undefined });
  });
  parser.on("text", (part) => {
    text += part;
  });
  parser.on("closetag", ({ name }) => {
    path.pop();
    const [parent = ""] = path.slice(-1);
    const place = places.at(-1);
    if (name === "note") note(rules, place?.group, parent, text);
    else if (name === "name" && parent === "diag" && place) place.group = text.trim();
    else if (name === "desc" && parent === "chapter" && place) [place.group] = codesIn(text);
    else if (["chapter", "section", "diag"].includes(name)) places.pop();
  });
  parser.write(xml).close();
  return rules;
}

function note(rules: TabularRules, group: string | undefined, kind: string, text: string): void {
  if (group === undefined) return;
  if (kind === "codeFirst") rules.secondary.push(group);
  if (kind !== "excludes1" && kind !== "excludes2") return;
  const codes = codesIn(text);
  if (codes.length > 0) rules[kind][group] = [...new Set([...(rules[kind][group] ?? []), ...codes])];
}
