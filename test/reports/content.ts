import { analytes } from "./analytes.ts";
import { closings, comments, methods } from "./comments.ts";
import type { Layout } from "./layout.ts";
import type { Gender } from "./own-form.ts";
import { type Panel, panels } from "./panels.ts";
import { drawPatient, type Patient, printedDate } from "./patient.ts";
import { type PrintedRow, printedRow } from "./printed-row.ts";
import { Random } from "./random.ts";
import type { ReportTruth } from "./truth.ts";

/** A row with its notes and its method. */
export interface ContentRow extends PrintedRow {
  readonly notes: readonly string[];
  readonly method: string | null;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly ContentRow[];
}

/** The content of a report, before layout. */
export interface Content {
  readonly layout: Layout;
  readonly patient: Patient;
  readonly sections: readonly Section[];
  readonly closing: readonly string[];
  readonly truth: ReportTruth;
}

const OUTSIDE_CATALOGUE = 0.45;
const LEFT_OUT = 0.1;
const COMMENTED = 0.6;
const WITH_METHOD = 0.4;
/** Common panels, and the factor of their rank in the selection. */
const common = new Set(["cmp", "cbc", "lipids", "thyroid", "urinalysis", "diabetes", "vitamins"]);
const COMMON_RANK = 0.5;

function titleOf({ titles }: Panel, layout: Layout): string {
  const [plain = "", short = plain, long = plain] = titles;
  switch (layout.titles) {
    case "plain":
      return plain;
    case "short":
      return short;
    case "long":
      return long;
    default:
      return long.toUpperCase();
  }
}

/** Selects the panels of a report, in order, each with the analytes that no earlier panel contains. */
function chosenPanels(layout: Layout, random: Random): { panel: Panel; keys: string[] }[] {
  const offered = panels.filter(({ key }) => layout.panels.length === 0 || layout.panels.includes(key));
  const wanted = random.whole(...layout.panelCount);
  const mixed = offered.map((panel) => ({ panel, rank: random.next() * (common.has(panel.key) ? COMMON_RANK : 1) }));
  const seen = new Set<string>();
  const chosen: { panel: Panel; keys: string[] }[] = [];
  for (const { panel } of mixed.toSorted((left, right) => left.rank - right.rank)) {
    if (chosen.length === wanted) break;
    const isKept = (key: string) =>
      random.chance(analytes.get(key)?.units[0]?.loinc === null ? OUTSIDE_CATALOGUE : 1 - LEFT_OUT);
    const fresh = panel.analytes.filter((key) => !seen.has(key));
    if (fresh.length < panel.analytes.length * 0.7) continue;
    const keys = fresh.filter(isKept);
    if (keys.length === 0) continue;
    for (const key of keys) seen.add(key);
    chosen.push({ panel, keys });
  }
  return chosen.toSorted((left, right) => panels.indexOf(left.panel) - panels.indexOf(right.panel));
}

function section(
  chosen: { panel: Panel; keys: string[] },
  layout: Layout,
  { before, gender }: { readonly before: string; readonly gender: Gender },
  random: Random,
): Section {
  const title = titleOf(chosen.panel, layout);
  const rows = chosen.keys.map((key): ContentRow => {
    const analyte = analytes.get(key);
    if (analyte === undefined) throw new Error(`a panel names an unknown analyte: ${key}`);
    const plain = printedRow(analyte, layout, title, before, random);
    const row = layout.form === null ? plain : layout.form.reworded(plain, gender, random);
    const notes = layout.notes !== "none" && random.chance(COMMENTED) ? (comments.get(key) ?? []) : [];
    const method = layout.hasMethods && random.chance(WITH_METHOD) ? random.pick(methods) : null;
    return { ...row, notes, method };
  });
  return { title, rows };
}

/** Creates the content of a report in a layout. The same seed gives the same report. */
export function reportContent(layout: Layout, seed: number): Content {
  const random = new Random(layout.name, seed);
  const patient = drawPatient(layout, random);
  const before = printedDate(patient.previously, layout, false);
  const { gender } = patient.metadata;
  const sections = chosenPanels(layout, random).map((chosen) => section(chosen, layout, { before, gender }, random));
  const results = sections.flatMap(({ rows }) => rows.map(({ truth }) => truth));
  const closing = random.some(closings, random.whole(1, 2));
  return { layout, patient, sections, closing, truth: { metadata: patient.metadata, results } };
}
