import { cleanName } from "../names/clean-name.ts";
import { splitUnitFromName } from "../names/split-unit-from-name.ts";
import { flagMeaning } from "../row/read-flag.ts";
import { type PrintedRow, type ReadingContext, readRowParts } from "../row/row-parts.ts";
import { mayBeResultText } from "../row/unread-texts.ts";
import { columnKindByPhrase } from "../table/column-heading.ts";
import { columnKindByKeyword } from "../table/heading-keywords.ts";
import type { ColumnKind } from "../table/heading-phrases.ts";
import { headerFieldOf } from "./header-labels.ts";
import type { Line } from "./page-lines.ts";
import type { ReportWord } from "./report-page.ts";

/** A labelled value of a result, such as `Result: 98`. */
interface Field {
  readonly kind: ColumnKind;
  readonly text: string;
}

interface KeyValueRecord {
  name: string;
  panel: string | null;
  readonly fields: Field[];
  readonly words: ReportWord[];
}

const MIN_RECORDS = 2;
const LABELLED = /^([^:]{2,40}):\s*(.*)$/;
const MAX_NAME_LENGTH = 80;

/** Reads results in a key-value layout: labelled lines below the test name, or with the name as a labelled value. */
export function readKeyValueRecords(
  lines: readonly Line[],
  before: string | null,
  context: ReadingContext,
): PrintedRow[] {
  const records: KeyValueRecord[] = [];
  let [current, panel]: [KeyValueRecord | null, string | null] = [null, before];
  let above: Line | null = null;
  for (const [place, line] of lines.entries()) {
    const label = kindOfBareLabel(lines[place - 1]);
    const fields = label ? [{ kind: label, text: line.text }] : readFields(line);
    if (kindOfBareLabel(line)) continue;
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
  const rows = records.flatMap((record) => recordRow(record, context));
  return rows.length < MIN_RECORDS ? [] : rows;
}

const isTitle = ({ text, cells }: Line) =>
  cells.length === 1 && !text.includes(":") && text.length < MAX_NAME_LENGTH && !/[.;!?]$/.test(text);

/** The column kind of a line that consists of a label for the next line. */
function kindOfBareLabel(line: Line | undefined): ColumnKind | null {
  const kind = line?.cells.length === 1 ? columnKindByPhrase(line.text) : undefined;
  return kind && BARE_LABEL_KINDS.has(kind) ? kind : null;
}
const BARE_LABEL_KINDS: ReadonlySet<ColumnKind> = new Set(["value", "units", "range", "flag"]);

/** The labelled values of a line that has nothing else; null for other lines. */
function readFields({ cells }: Line): Field[] | null {
  const fields: Field[] = [];
  for (let place = 0; place < cells.length; place++) {
    const text = cells[place]?.text ?? "";
    const [, label = "", own = ""] = LABELLED.exec(text) ?? [];
    const kind = label === "" ? undefined : kindOfLabel(label);
    if (!kind) return null;
    const next = cells[place + 1]?.text;
    const isBeside = own === "" && next !== undefined && !LABELLED.test(next);
    fields.push({ kind, text: isBeside ? next : own });
    if (isBeside) place++;
  }
  return fields.length > 0 ? fields : null;
}

/** The column kind of a label. Labels of the report header have none. */
function kindOfLabel(label: string): ColumnKind | undefined {
  const kind = columnKindByPhrase(label) ?? columnKindByKeyword(label);
  return kind === "name" && headerFieldOf(label) !== undefined ? undefined : kind;
}

function recordRow({ name: printed, panel, fields, words }: KeyValueRecord, context: ReadingContext): PrintedRow[] {
  const of = (kind: ColumnKind) => fields.filter((field) => field.kind === kind).map(({ text }) => text);
  const flags = of("flag");
  const texts = {
    name: printed,
    value: of("value")[0] ?? "",
    flag: flags.find((text) => flagMeaning(text) !== undefined) ?? "",
    units: of("units")[0] ?? "",
    range: of("range")[0] ?? "",
  };
  const parts = readRowParts(texts, context);
  const plain = cleanName(printed);
  if (!parts || !/\p{L}/u.test(plain) || plain.length > MAX_NAME_LENGTH) return [];
  const named = parts.units === null ? splitUnitFromName(plain) : null;
  const others = [...flags.filter((text) => text !== texts.flag), ...of("range").slice(1), ...of("units").slice(1)];
  return [
    {
      ...parts,
      name: named?.name ?? plain,
      units: named?.units ?? parts.units,
      panel,
      words,
      unreadTexts: others.filter(mayBeResultText),
    },
  ];
}
