import type { WholeList } from "../api/all-pages.ts";
import { formatNumber } from "./numbers.ts";

/** Says that a list is longer than what the view shows. */
export const CutNote = ({ list: { rows, isCut } }: { readonly list: WholeList<unknown> }) =>
  isCut ? <p class="quiet">These are the first {formatNumber(rows.length)}. The API lists the others.</p> : null;
