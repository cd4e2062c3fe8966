import { runLimitDrill } from "../../unit/usage/limit-drill.ts";

/**
 * Runs eight processes that share one limit. The first second does not count.
 * @returns the exit code: 1 when the accepted rate differs from the limit by more than a tenth.
 */
export async function limits(): Promise<number> {
  const drill = { processes: 8, limit: 500, perSecond: 200, seconds: 11 };
  const { accepted, leases } = await runLimitDrill(drill);
  const counting = accepted.slice(1);
  const mean = counting.reduce((sum, count) => sum + count, 0) / counting.length;
  const perProcess = (leases / drill.processes / drill.seconds).toFixed(1);
  process.stdout.write(
    `Accepted per second: ${accepted.join(" ")}; ${mean} on average, the limit is ${drill.limit}.\n`,
  );
  process.stdout.write(`${perProcess} leases per second and process.\n`);
  return Math.abs(mean - drill.limit) <= drill.limit / 10 ? 0 : 1;
}
