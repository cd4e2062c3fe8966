/** Concurrent calls unless the caller says otherwise. */
const DEFAULT_CONCURRENCY = 8;

/** Applies an async function to all items, a few at a time. Keeps the order of the results. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  atOnce = DEFAULT_CONCURRENCY,
): Promise<R[]> {
  const results: R[] = [];
  for (let first = 0; first < items.length; first += atOnce) {
    results.push(...(await Promise.all(items.slice(first, first + atOnce).map(work))));
  }
  return results;
}
