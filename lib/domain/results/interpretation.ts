import type { interpretations } from "../orders/wire-order.ts";

/** How a result is to be read. */
export type Interpretation = (typeof interpretations)[number];

/** From what concerns a person most to what concerns them least. */
const bySeverity: readonly Interpretation[] = ["critical", "abnormal", "normal", "unknown"];

/** The interpretation of an order: that of the result that concerns most; unknown while there is none to read. */
export function worstOf(found: readonly Interpretation[]): Interpretation {
  return bySeverity.find((interpretation) => found.includes(interpretation)) ?? "unknown";
}
