import { type Cell, isApart, type Line, rightOf, textOf, toCell } from "./page-lines.ts";
import { isOneApart } from "./repair-units.ts";
import type { ReportWord } from "./report-page.ts";

/** What stands in a column; `other` is what is not read, as the code of the site that performed the test. */
export type ColumnKind = "name" | "value" | "flag" | "units" | "range" | "low" | "high" | "previous" | "other";

/** A column by its heading. */
export interface Heading {
  readonly kind: ColumnKind;
  readonly left: number;
  readonly right: number;
}

const phrases: Readonly<Record<ColumnKind, readonly string[]>> = {
  name: "test|tests|test name|test names|name|analyte|analytes|component|components|test description|description|examination|investigation|investigations|parameter|parameters|procedure|assay|test performed|tests performed|test(s)|test / component|biomarker|marker|determination|test ordered|observation|lab test|measurement|panel / test|test/panel|item|component name|analysis|study|exam|test/analyte|test requested|panel/test|profile|test(s) performed|constituent|name of test|laboratory test".split(
    "|",
  ),
  value:
    "result|results|value|values|your result|your value|current result|current|current value|observed value|result value|patient result|observed|in range|result(s)|your results|this result|today|result and flag|result / flag|result/flag|current result and flag|reading|finding|findings|out of range|outcome|latest result|latest|within range|outside range|in-range|out-of-range|normal result|abnormal result|patient value|measured|level|result & flag|measured value".split(
      "|",
    ),
  flag: "flag|flags|flg|abn|abnormal|status|abnormal flag|h/l|alert|indicator|abn flag|hi/lo|l/h|result flag|ind|note flag|*|abnl|fl|interp|interpretation|status flag|flag(s)|abnormality|alerts".split(
    "|",
  ),
  units: "unit|units|uom|units of measure|unit of measure|measure unit|unit(s)|measurement unit|u/m|dimension".split(
    "|",
  ),
  range:
    "reference|reference range|reference interval|ref range|ref. range|ref interval|ref. interval|reference ranges|reference intervals|normal range|normal ranges|normal|expected|expected range|limits|reference limits|normal values|range|biological ref. interval|biological reference interval|biological ref interval|bio. ref. interval|bio. ref. range|reference value|reference values|reference range & units|reference range / units|reference (units)|ref. values|ref|ref.|normal limits|expected values|interval|standard range|reference range/units|ref range & units|reference range and units|normals|ref. range/units|ref range/units|optimal range|usual range|desired range|expected value|ref. int.|ref. rng|ref rng|reference rng|standard|target range|therapeutic range|ref. limits|reference interval & units|reference interval and units|healthy range|ref. range & units|ref.range|ref.interval".split(
      "|",
    ),
  low: ["low", "low limit", "lower limit", "lower", "min", "minimum", "ref low", "range low", "from"],
  high: ["high", "high limit", "upper limit", "upper", "max", "maximum", "ref high", "range high", "to"],
  previous:
    "previous|previous result|previous results|prior|prior result|prior results|last result|last|previous value|prev|prev. result|prev result|previous date|prior value|last value|previous result and date|date of previous|history|historical|trend|prior date|delta|prev. value|previous result & date|previous result / date|prev. date|last date|prev date|previous (date)|change|prior result date".split(
      "|",
    ),
  other:
    "lab|site|code|loinc|loinc code|perf|perf. site|performing lab|performing site|method|date|collected|lab code|test code|code(s)|perf lab|performed at|specimen|verified|comment|comments|notes|note|remarks|time|no|no.|#|s.no|sr. no.|reported|completed|lab id|perf. lab|methodology|sample|order code|facility|tech|performed|loc|test #|sl. no.|line|key|stat|lab site".split(
      "|",
    ),
};

const kindOf = new Map(
  (Object.keys(phrases) as ColumnKind[]).flatMap((kind) =>
    phrases[kind].map((phrase) => [fold(phrase), kind] as const),
  ),
);
const LONGEST_PHRASE = 5;
/** From how many letters on a phrase may have a wrong one. */
const FEWEST_LETTERS = 6;

/** What a heading says, also with one letter that was recognised wrongly. */
function kindAt(phrase: string): ColumnKind | undefined {
  const exact = kindOf.get(phrase);
  if (exact || phrase.length < FEWEST_LETTERS) return exact;
  return [...kindOf].find(([other]) => other.length >= FEWEST_LETTERS && isOneApart(phrase, other))?.[1];
}

function fold(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[.:,;|[\]{}]/g, "")
    .replaceAll(/\s*\/\s*/g, "/")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Whether a heading says so much that the line can be one: what is measured, what is found, and how it is to be read. */
function isTable(headings: readonly Heading[]): boolean {
  const has = (kind: ColumnKind) => headings.some((heading) => heading.kind === kind);
  if (!has("value")) return false;
  return (has("name") && headings.length >= 2) || [has("units"), has("range"), has("flag")].filter(Boolean).length >= 2;
}

/** The headings of a line, or of two that say them together; null where it is no line of headings. */
export function headingsOf(line: Line, next: Line | undefined): { headings: Heading[]; lines: 1 | 2 } | null {
  const alone = readHeadings(line.words);
  const isAlone = alone !== null && isTable(alone);
  if (next && next.top - line.bottom < (line.bottom - line.top) * 1.3) {
    const stacked = readStacked(line, next);
    if (stacked && isTable(stacked) && (!isAlone || stacked.length >= alone.length)) {
      return { headings: stacked, lines: 2 };
    }
  }
  return isAlone ? { headings: alone, lines: 1 } : null;
}

/** Every word of the line as part of a heading, by the longest phrases; null where more than one is of none. */
function readHeadings(words: readonly ReportWord[]): Heading[] | null {
  const headings: Heading[] = [];
  let unknown = 0;
  for (let place = 0; place < words.length; ) {
    const found = longest(words.slice(place, place + LONGEST_PHRASE));
    if (found) headings.push(found.heading);
    else unknown++;
    place += found?.length ?? 1;
  }
  return unknown * 3 > headings.length ? null : headings;
}

function longest(words: readonly ReportWord[]): { heading: Heading; length: number } | undefined {
  for (let length = words.length; length > 0; length--) {
    const part = words.slice(0, length);
    if (part.some((word, place) => place > 0 && isApart(part[place - 1] ?? word, word))) continue;
    const kind = kindAt(fold(textOf(part)));
    const [first, last] = [part[0], part.at(-1)];
    if (kind && first && last) return { heading: { kind, left: first.left, right: rightOf(last) }, length };
  }
  return undefined;
}

/** Headings of which some stand in two lines: `Reference` above `Interval`. */
function readStacked(line: Line, next: Line): Heading[] | null {
  const cells: Cell[] = [...line.cells];
  const alone: Cell[] = [];
  for (const below of next.cells) {
    const place = cells.findIndex((cell) => below.left < cell.right && cell.left < below.right);
    const above = cells[place];
    if (above) cells[place] = { ...toCell([...above.words, ...below.words]) };
    else alone.push(below);
  }
  const headings = [...cells, ...alone].flatMap((cell) => {
    const kind = kindAt(fold(cell.text));
    if (kind) return [{ kind, left: cell.left, right: cell.right }];
    return readHeadings(cell.words) ?? [null];
  });
  const known = headings.filter((heading) => heading !== null);
  return known.length < headings.length ? null : known.toSorted((a, b) => a.left - b.left);
}
