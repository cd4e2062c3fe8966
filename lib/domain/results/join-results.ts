import type { Order } from "../orders/lifecycle/order-transitions.ts";
import { worstInterpretation } from "./interpretation.ts";
import type { ValueState } from "./result-record.ts";
import type { BiomarkerResult, WireResult } from "./wire-result.ts";

/** Result of an order, with the state of each value. */
export interface OrderResult {
  readonly order: Order;
  readonly result: WireResult;
  readonly states: readonly ValueState[];
}

const resultKey = ({ loinc, slug }: Pick<BiomarkerResult, "loinc" | "slug">) => loinc ?? slug;

/**
 * Merges the results of the orders of a transaction. Each value comes from the newest order that has it, and the
 * interpretation from all values; all other fields come from the newest order.
 * @param read results, oldest order first.
 * @returns undefined for an empty list.
 */
export function joinResults(read: readonly OrderResult[]): OrderResult | undefined {
  const last = read.at(-1);
  if (!last || read.length === 1) return last;
  const byOrder = read.map(({ result, states }) => {
    const values = result.results.map((value, index) => ({ value, state: states[index] ?? "final" }));
    return Map.groupBy(values, ({ value }) => resultKey(value));
  });
  // A code can have several values in one result, and those of the newest order replace them together.
  const joined = [...new Map(byOrder.flatMap((values) => [...values])).values()].flat();
  const interpretation = worstInterpretation(joined.map(({ value }) => value.interpretation));
  const known = new Set(joined.map(({ value }) => resultKey(value)));
  const missing = last.result.missing_results?.filter((one) => !known.has(resultKey(one))) ?? null;
  const samples = read.map(({ result }) => result.sample_information ?? {});
  return {
    order: last.order,
    states: joined.map(({ state }) => state),
    result: {
      ...last.result,
      metadata: { ...last.result.metadata, interpretation },
      results: joined.map(({ value }) => value),
      missing_results: missing,
      sample_information: Object.assign({}, ...samples),
    },
  };
}
