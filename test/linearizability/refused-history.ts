import { isLinearizable } from "./check-history.ts";
import { describeOperation, type History, type Operation } from "./operation.ts";
import { shrinkHistory } from "./shrink-history.ts";
import { specifications } from "./specifications/specifications.ts";

/** Calls that only read. */
const reads = ["get", "resolve", "list", "read", "secret"];
/** First words of answers that report no effect. */
const refusals = ["absent", "taken", "refused", "conflict"];

const hasNoEffect = ({ name, result }: Operation): boolean =>
  result !== null && (reads.includes(name) || refusals.includes(result[0] ?? ""));

/** Whether no order of the operations explains all answers. */
export const isRefused = ({ kind, operations }: History): boolean => !isLinearizable(specifications[kind], operations);

/** The shortest form of a refused history, for a report. */
export function shrinkRefused(history: History): History {
  const isStillRefused = (operations: readonly Operation[]) => isRefused({ ...history, operations });
  // A receipt's first read decides its counts, so it has an effect.
  const isEffectless = history.kind === "receipts" ? () => false : hasNoEffect;
  return { ...history, operations: shrinkHistory(history.operations, isStillRefused, isEffectless) };
}

/** A history as lines of text. */
export const describeHistory = ({ kind, object, operations }: History): string =>
  [`${kind}: ${object}`, ...operations.map((one) => `  ${describeOperation(one)}`)].join("\n");
