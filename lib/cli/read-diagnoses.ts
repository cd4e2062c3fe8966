import { SaxesParser } from "saxes";

/** The rules of a tabular list: the codes that each code prefix or range excludes. */
export interface TabularRules {
  readonly excludes1: Record<string, string[]>;
  readonly excludes2: Record<string, string[]>;
  /** Codes that must follow another code ("code first"). */
  readonly secondary: string[];
}

const addDot = (code: string) => (code.length > 3 ? `${code.slice(0, 3)}.${code.slice(3)}` : code);

/**
 * Parses the order file of an ICD-10-CM release (`icd10cm_order_YYYY.txt`: columns of fixed width).
 * @returns the billable codes, each as code, space, long description.
 * @throws Error with the first invalid line.
 */
export function readOrderFile(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "") return [];
    const [, code, isReported, description] = /^\d{5} ([A-Z]\d\w{1,5}) +([01]) .{60} (.+?) *$/.exec(line) ?? [];
    if (!code || !description) throw new Error(`line ${index + 1}: not a line of an ICD-10-CM order file`);
    return isReported === "1" ? [`${addDot(code)} ${description}`] : [];
  });
}

/** A code, a code prefix (`E10.-`) or a range (`E08-E13`) in a note. */
const CODE_PATTERN = /([A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?)(?:-([A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?))?/g;

/** The codes in the brackets of a note: "type 1 diabetes mellitus (E10.-)". */
function parseCodes(note: string): string[] {
  const bracketed = [...note.matchAll(/\(([^()]*)\)/g)].map(([, inside = ""]) => inside).join(" ");
  return [...bracketed.matchAll(CODE_PATTERN)].map(([, first = "", last]) => (last ? `${first}-${last}` : first));
}

/** Position of a note: a code, a section of codes, or a chapter, whose description ends with its range. */
interface NotePlace {
  group: string | undefined;
}

/** Parses the tabular list of an ICD-10-CM release (`icd10cm_tabular_YYYY.xml`). @throws Error for invalid XML. */
export function readTabularList(xml: string): TabularRules {
  const rules: TabularRules = { excludes1: {}, excludes2: {}, secondary: [] };
  const places: NotePlace[] = [];
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
    if (name === "note") addNote(rules, place?.group, parent, text);
    else if (name === "name" && parent === "diag" && place) place.group = text.trim();
    else if (name === "desc" && parent === "chapter" && place) [place.group] = parseCodes(text);
    else if (["chapter", "section", "diag"].includes(name)) places.pop();
  });
  parser.write(xml).close();
  return rules;
}

function addNote(rules: TabularRules, group: string | undefined, kind: string, text: string): void {
  if (group === undefined) return;
  if (kind === "codeFirst") rules.secondary.push(group);
  if (kind !== "excludes1" && kind !== "excludes2") return;
  const codes = parseCodes(text);
  if (codes.length > 0) rules[kind][group] = [...new Set([...(rules[kind][group] ?? []), ...codes])];
}
