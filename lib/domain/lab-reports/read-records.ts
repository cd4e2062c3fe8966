import { kindByTokens } from "./heading-tokens.ts";
import type { ColumnKind } from "./heading-words.ts";
import { kindAt } from "./headings.ts";
import { mayBeOfResult } from "./left-over.ts";
import type { Line } from "./page-lines.ts";
import { flagMeaning } from "./read-flag.ts";
import { fieldOf } from "./report-labels.ts";
import type { ReportWord } from "./report-page.ts";
import { cleanName } from "./row-names.ts";
import { type PrintedRow, type ReadingContext, readParts } from "./row-parts.ts";
import { unitInName } from "./unit-in-name.ts";

/** A labelled value of a result, such as `Result: 98`. */
interface Field {
  readonly kind: ColumnKind;
  readonly text: string;
}

interface Record {
  name: string;
  panel: string | null;
  readonly fields: Field[];
  readonly words: ReportWord[];
}

const FEWEST_RECORDS = 2;
const LABELLED = /^([^:]{2,40}):\s*(.*)$/;
const LONGEST_NAME = 80;

/** Reads results in a key-value layout: labelled lines below the test name, or with the name as a labelled value. */
export function readRecords(lines: readonly Line[], before: string | null, context: ReadingContext): PrintedRow[] {
  const records: Record[] = [];
  let [current, panel]: [Record | null, string | null] = [null, before];
  let above: Line | null = null;
  for (const [place, line] of lines.entries()) {
    const label = labelAlone(lines[place - 1]);
    const fields = label ? [{ kind: label, text: line.text }] : fieldsOf(line);
    if (labelAlone(line)) continue;
    if (!fields) {
      if (above && isTitle(above)) panel = above.text;
      [above, current] = [line, null];
      continue;
    }
    for (const field of fields) {
      const isNext =
        field.kind === "name" || (field.kind === "value" && current?.fields.some(({ kind }) => kind === "value"));
      if (!current || isNext) {
        current = {
          name: field.kind === "name" ? field.text : (above?.text ?? ""),
          panel,
          fields: [],
          words: [...(above?.words ?? [])],
        };
        above = null;
        records.push(current);
      }
      current.fields.push(field);
    }
    current?.words.push(...line.words);
  }
  const rows = records.flatMap((record) => rowOf(record, context));
  return rows.length < FEWEST_RECORDS ? [] : rows;
}

const isTitle = ({ text, cells }: Line) =>
  cells.length === 1 && !text.includes(":") && text.length < LONGEST_NAME && !/[.;!?]$/.test(text);

/** The column kind of a line that consists of a label for the next line. */
function labelAlone(line: Line | undefined): ColumnKind | null {
  const kind = line?.cells.length === 1 ? kindAt(line.text) : undefined;
  return kind && ALONE.has(kind) ? kind : null;
}
const ALONE: ReadonlySet<ColumnKind> = new Set(["value", "units", "range", "flag"]);

/** The labelled values of a line that has nothing else; null for other lines. */
function fieldsOf({ cells }: Line): Field[] | null {
  const fields: Field[] = [];
  for (let place = 0; place < cells.length; place++) {
    const text = cells[place]?.text ?? "";
    const [, label = "", own = ""] = LABELLED.exec(text) ?? [];
    const kind = label === "" ? undefined : kindOf(label);
    if (!kind) return null;
    const next = cells[place + 1]?.text;
    const isBeside = own === "" && next !== undefined && !LABELLED.test(next);
    fields.push({ kind, text: isBeside ? next : own });
    if (isBeside) place++;
  }
  return fields.length > 0 ? fields : null;
}

/** The column kind of a label. Labels of the report header have none. */
function kindOf(label: string): ColumnKind | undefined {
  const kind = kindAt(label) ?? kindByTokens(label);
  return kind === "name" && fieldOf(label) !== undefined ? undefined : kind;
}

function rowOf({ name: printed, panel, fields, words }: Record, context: ReadingContext): PrintedRow[] {
  const of = (kind: ColumnKind) => fields.filter((field) => field.kind === kind).map(({ text }) => text);
  const flags = of("flag");
  const texts = {
    name: printed,
    value: of("value")[0] ?? "",
    flag: flags.find((text) => flagMeaning(text) !== undefined) ?? "",
    units: of("units")[0] ?? "",
    range: of("range")[0] ?? "",
  };
  const parts = readParts(texts, context);
  const plain = cleanName(printed);
  if (!parts || !/\p{L}/u.test(plain) || plain.length > LONGEST_NAME) return [];
  const named = parts.units === null ? unitInName(plain) : null;
  const others = [...flags.filter((text) => text !== texts.flag), ...of("range").slice(1), ...of("units").slice(1)];
  return [
    {
      ...parts,
      name: named?.name ?? plain,
      units: named?.units ?? parts.units,
      panel,
      words,
      leftOver: others.filter(mayBeOfResult),
    },
  ];
}
