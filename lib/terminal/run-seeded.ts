/** Seconds of processor time that this process has taken for itself. */
export const cpuSeconds = (): number => Math.round(process.cpuUsage().user / 1e6);

/**
 * Runs a command that a seed replays, and sets the exit code: 0 when all went well, 1 when not, 2 for wrong arguments.
 * @param asked undefined for wrong arguments, which are answered with the usage.
 * @param run answers whether all went well.
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
