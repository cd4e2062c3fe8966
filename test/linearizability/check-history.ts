import type { Operation } from "./operation.ts";
import type { Specification } from "./specification.ts";

/**
 * Whether some order of the operations explains every result: each takes effect at one instant between its start and its
 * end (Herlihy and Wing, "Linearizability", 1990). The search is that of Wing and Gong with the memory of Lowe ("Testing
 * for linearizability", 2017): no pair of a set of ordered operations and a state is searched twice.
 */
export function isLinearizable<S>({ initial, after }: Specification<S>, history: readonly Operation[]): boolean {
  const calls = history.toSorted((a, b) => a.invokedAt - b.invokedAt);
  const tried = new Set<string>();
  const search = (ordered: bigint, state: S): boolean => {
    const open = calls.map((call, place) => ({ call, bit: 1n << BigInt(place) })).filter(({ bit }) => !(ordered & bit));
    // A call without an answer need not have any effect.
    if (open.every(({ call }) => call.result === null)) return true;
    const key = `${ordered.toString(36)} ${JSON.stringify(state)}`;
    if (tried.has(key)) return false;
    tried.add(key);
    const firstEnd = Math.min(...open.map(({ call }) => call.returnedAt));
    return open.some(({ call, bit }) => {
      if (call.invokedAt >= firstEnd) return false;
      // Without an answer and without an effect, a call need not be in the order.
      const states = after(state, call).filter((next) => call.result !== null || next !== state);
      return states.some((next) => search(ordered | bit, next));
    });
  };
  return search(0n, initial);
}
