import { END_OF_HISTORY, type Operation } from "./operation.ts";

/**
 * Shrinks a refused history to fewer operations that are refused for the same reason. Only two cuts never make a history
 * refused that was not: its end, where a running call keeps its start and loses its answer, and a call that by its
 * result changed nothing.
 */
export function shrinkHistory(
  history: readonly Operation[],
  isRefused: (history: readonly Operation[]) => boolean,
  hasNoEffect: (operation: Operation) => boolean,
): readonly Operation[] {
  const ends = history.map(({ returnedAt }) => returnedAt).sort((a, b) => a - b);
  const firstEnd = ends.find((end) => isRefused(cutAt(history, end))) ?? END_OF_HISTORY;
  let shrunk: readonly Operation[] = cutAt(history, firstEnd);
  for (const operation of shrunk.filter(hasNoEffect)) {
    const without = shrunk.filter((one) => one !== operation);
    if (isRefused(without)) shrunk = without;
  }
  return shrunk;
}

/** The history up to an instant. Nobody knows the results of calls that still run. */
function cutAt(history: readonly Operation[], end: number): Operation[] {
  return history
    .filter(({ invokedAt }) => invokedAt <= end)
    .map((one) => (one.returnedAt <= end ? one : { ...one, result: null, returnedAt: END_OF_HISTORY }));
}
