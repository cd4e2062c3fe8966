import { runLimitDrill } from "../../test/unit/usage/limit-drill.ts";

/** Has eight processes keep one limit; the second in which they begin does not count. @returns the exit code: 1 when more or less than a tenth off was let through. */
export async function limits(): Promise<number> {
  const drill = { processes: 8, limit: 500, perSecond: 200, seconds: 11 };
  const { accepted, leases } = await runLimitDrill(drill);
  const counting = accepted.slice(1);
  const mean = counting.reduce((sum, count) => sum + count, 0) / counting.length;
  const perProcess = (leases / drill.processes / drill.seconds).toFixed(1);
  process.stdout.write(`Let through by second: ${accepted.join(" ")}; ${mean} of ${drill.limit} on average.\n`);
  process.stdout.write(`${perProcess} leases a second and process.\n`);
  return Math.abs(mean - drill.limit) <= drill.limit / 10 ? 0 : 1;
}
