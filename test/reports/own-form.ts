import type { Content } from "./content.ts";
import type { DrawnPage } from "./drawn-page.ts";
import type { PrintedRow } from "./printed-row.ts";
import type { Random } from "./random.ts";
import type { TruthMetadata } from "./truth.ts";

export type Gender = TruthMetadata["gender"];

/** The custom results form of a laboratory. */
export interface OwnForm {
  /** Rewords a row, and its truth, in the laboratory's terms. */
  readonly reworded: (row: PrintedRow, gender: Gender, random: Random) => PrintedRow;
  /** Draws the report on pages. */
  readonly pages: (content: Content) => DrawnPage[];
}
