/** User CPU time of this process in seconds. */
export const cpuSeconds = (): number => Math.round(process.cpuUsage().user / 1e6);

/**
 * Runs a command that can be replayed by its seed, and sets the exit code: 0 for success, 1 for failure, 2 for invalid
 * arguments.
 * @param asked the parsed arguments; undefined for invalid arguments, for which the usage is printed.
 * @param run returns whether the command succeeded.
 */
export async function runSeeded<Asked extends { readonly seed: number }>(
  usage: string,
  asked: Asked | undefined,
  run: (asked: Asked) => Promise<boolean>,
): Promise<void> {
  if (asked === undefined) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  const isOk = await run(asked).catch((error) => {
    console.log(`Seed ${asked.seed}:`, error);
    return false;
  });
  process.exitCode = isOk ? 0 : 1;
}
