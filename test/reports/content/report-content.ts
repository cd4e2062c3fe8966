import { analytes } from "../analytes/analytes.ts";
import { assayMethods, closingNotes, resultComments } from "../analytes/comments.ts";
import { type Panel, panels } from "../analytes/panels.ts";
import type { Layout } from "../layouts/layout.ts";
import type { Gender } from "./custom-form.ts";
import { createPatient, formatDate, type Patient } from "./patient.ts";
import { createPrintedRow, type PrintedRow } from "./printed-row.ts";
import type { ReportTruth } from "./report-truth.ts";
import { SeededRandom } from "./seeded-random.ts";

/** A row with its notes and its method. */
export interface ContentRow extends PrintedRow {
  readonly notes: readonly string[];
  readonly method: string | null;
}

export interface ReportSection {
  readonly title: string;
  readonly rows: readonly ContentRow[];
}

/** The content of a report, before layout. */
export interface ReportContent {
  readonly layout: Layout;
  readonly patient: Patient;
  readonly sections: readonly ReportSection[];
  readonly closing: readonly string[];
  readonly truth: ReportTruth;
}

const OUTSIDE_CATALOGUE_RATE = 0.45;
const OMISSION_RATE = 0.1;
const COMMENT_RATE = 0.6;
const METHOD_RATE = 0.4;
/** Common panels, and the factor of their rank in the selection. */
const commonPanels = new Set(["cmp", "cbc", "lipids", "thyroid", "urinalysis", "diabetes", "vitamins"]);
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
function selectPanels(layout: Layout, random: SeededRandom): { panel: Panel; keys: string[] }[] {
  const offered = panels.filter(({ key }) => layout.panels.length === 0 || layout.panels.includes(key));
  const wanted = random.whole(...layout.panelCount);
  const mixed = offered.map((panel) => ({
    panel,
    rank: random.next() * (commonPanels.has(panel.key) ? COMMON_RANK : 1),
  }));
  const seen = new Set<string>();
  const chosen: { panel: Panel; keys: string[] }[] = [];
  for (const { panel } of mixed.toSorted((left, right) => left.rank - right.rank)) {
    if (chosen.length === wanted) break;
    const isKept = (key: string) =>
      random.boolean(analytes.get(key)?.units[0]?.loinc === null ? OUTSIDE_CATALOGUE_RATE : 1 - OMISSION_RATE);
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
  random: SeededRandom,
): ReportSection {
  const title = titleOf(chosen.panel, layout);
  const rows = chosen.keys.map((key): ContentRow => {
    const analyte = analytes.get(key);
    if (analyte === undefined) throw new Error(`a panel names an unknown analyte: ${key}`);
    const plain = createPrintedRow(analyte, layout, title, before, random);
    const row = layout.form === null ? plain : layout.form.rewordRow(plain, gender, random);
    const notes = layout.notes !== "none" && random.boolean(COMMENT_RATE) ? (resultComments.get(key) ?? []) : [];
    const method = layout.hasMethods && random.boolean(METHOD_RATE) ? random.pick(assayMethods) : null;
    return { ...row, notes, method };
  });
  return { title, rows };
}

/** Creates the content of a report in a layout. The same seed gives the same report. */
export function createReportContent(layout: Layout, seed: number): ReportContent {
  const random = new SeededRandom(layout.name, seed);
  const patient = createPatient(layout, random);
  const before = formatDate(patient.previousDate, layout, false);
  const { gender } = patient.metadata;
  const sections = selectPanels(layout, random).map((chosen) => section(chosen, layout, { before, gender }, random));
  const results = sections.flatMap(({ rows }) => rows.map(({ truth }) => truth));
  const closing = random.sample(closingNotes, random.whole(1, 2));
  return { layout, patient, sections, closing, truth: { metadata: patient.metadata, results } };
}
