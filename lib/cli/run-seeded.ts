/** User CPU time of this process in seconds. */
export const cpuSeconds = (): number => Math.round(process.cpuUsage().user / 1e6);

/**
 * Runs work that its seed can repeat. An error prints the seed and counts as a failure.
 * @param run returns whether the work succeeded, and its result.
 */
export async function runSeeded<Result extends { readonly isOk: boolean }>(
  seed: number,
  run: () => Promise<Result>,
): Promise<Result | { readonly isOk: false }> {
  return run().catch((error) => {
    console.log(`Seed ${seed}:`, error);
    return { isOk: false as const };
  });
}
