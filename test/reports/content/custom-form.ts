import type { DrawnPage } from "../pages/drawn-page.ts";
import type { PrintedRow } from "./printed-row.ts";
import type { ReportContent } from "./report-content.ts";
import type { TruthMetadata } from "./report-truth.ts";
import type { SeededRandom } from "./seeded-random.ts";

export type Gender = TruthMetadata["gender"];

/** The custom results form of a laboratory. */
export interface CustomForm {
  /** Rewords a row, and its truth, in the laboratory's terms. */
  readonly rewordRow: (row: PrintedRow, gender: Gender, random: SeededRandom) => PrintedRow;
  /** Draws the report on pages. */
  readonly drawPages: (content: ReportContent) => DrawnPage[];
}
