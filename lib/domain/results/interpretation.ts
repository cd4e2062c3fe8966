import type { interpretations } from "../orders/wire-order.ts";

/** Interpretation of a result. */
export type Interpretation = (typeof interpretations)[number];

/** Interpretations, most severe first. */
const bySeverity: readonly Interpretation[] = ["critical", "abnormal", "normal", "unknown"];

/** Most severe interpretation of results; `unknown` for an empty list. */
export function worstInterpretation(found: readonly Interpretation[]): Interpretation {
  return bySeverity.find((interpretation) => found.includes(interpretation)) ?? "unknown";
}
