import type { Content } from "./content.ts";
import type { DrawnPage } from "./drawn-page.ts";
import type { PrintedRow } from "./printed-row.ts";
import type { Random } from "./random.ts";
import type { TruthMetadata } from "./truth.ts";

export type Gender = TruthMetadata["gender"];

/** How a laboratory prints that sets its results in a form of its own. */
export interface OwnForm {
  /** A row in the laboratory's own words, with the truth that goes with them. */
  readonly reworded: (row: PrintedRow, gender: Gender, random: Random) => PrintedRow;
  /** The report on pages. */
  readonly pages: (content: Content) => DrawnPage[];
}
