import { isDeepStrictEqual } from "node:util";
import type { CompletedCall } from "./call-history.ts";
import { emptyState, type ModelState, possibleOutcomes } from "./user-model.ts";

/**
 * Finds the linearizations of a history: orders in which each call takes effect at one instant between its start and
 * its end (Herlihy and Wing, "Linearizability", 1990; the search follows Wing and Gong). Calls with an unknown outcome
 * may take effect or not.
 * @returns the possible final states; none when no order explains every response.
 */
export function findLinearizations(history: readonly CompletedCall[]): ModelState[] {
  const found = new Map<string, ModelState>();
  const known = new Set<string>();
  const search = (state: ModelState, left: readonly CompletedCall[]): void => {
    if (left.length === 0) {
      found.set(JSON.stringify(state), state);
      return;
    }
    const key = `${left.map(({ invokedAt }) => invokedAt).join()} ${JSON.stringify(state)}`;
    if (known.has(key)) return;
    known.add(key);
    const firstEnd = Math.min(...left.map(({ returnedAt }) => returnedAt));
    for (const next of left.filter(({ invokedAt }) => invokedAt < firstEnd)) {
      const others = left.filter((performed) => performed !== next);
      for (const after of statesAfter(state, next)) search(after, others);
    }
  };
  search(emptyState, history);
  return [...found.values()];
}

/** The states after one call with a matching outcome. */
function statesAfter(state: ModelState, performed: CompletedCall): ModelState[] {
  const ways = possibleOutcomes(state, performed);
  if (performed.outcome === undefined) return [state, ...ways.map(({ next }) => next)];
  return ways.filter(({ outcome }) => isDeepStrictEqual(outcome, performed.outcome)).map(({ next }) => next);
}
