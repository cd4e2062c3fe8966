import { Progress } from "../../../lib/cli/progress.ts";
import { cpuSeconds } from "../../../lib/cli/run-seeded.ts";
import { floods } from "../../neighbours/floods.ts";
import { judgeFlood } from "../../neighbours/judge-flood.ts";
import { type FloodMeasurement, measureFlood } from "../../neighbours/measure-flood.ts";

/** The full size: 99 teams beside the noisy one. */
const SIZES = { teams: 99, perSecond: 1, warmUpS: 30, windowS: 240, share: 1 };

/** Lets one of 100 teams flood the service in virtual time. @returns the exit code: 1 when the others notice it. */
export async function neighbours(seed: number): Promise<number> {
  const progress = new Progress({ label: "Floods", total: floods.length, unit: "floods" });
  const without = await measureFlood({ seed, ...SIZES });
  process.stdout.write(`Without a flood: ${describe(without)}.\n`);
  let problems = 0;
  for (const [index, flood] of floods.entries()) {
    const measured = await measureFlood({ seed, ...SIZES }, flood);
    const found = judgeFlood(measured, without);
    problems += found.length;
    const { deliver, attempt, store } = measured.held;
    const held = `held at most ${deliver}, ${attempt} and ${store} instances of deliverEvent, attemptDelivery, storeBatch`;
    const drained = `drained after ${measured.drainedMinutes?.toFixed(1) ?? "more than 120"} minutes`;
    process.stdout.write(`${flood.name}: ${describe(measured, without)}; ${held}; ${drained}.\n`);
    for (const problem of found) process.stdout.write(`  ${problem}\n`);
    progress.update(index + 1);
  }
  progress.done(`${floods.length} floods (seed ${seed}): ${problems} problems; ${cpuSeconds()} s of CPU.`);
  return problems === 0 ? 0 : 1;
}

/** Describes what the other teams got, and how many times as long as without the flood that is. */
function describe({ fromEvent, fromPush, longestMs, events }: FloodMeasurement, without?: FloodMeasurement): string {
  const p99 = (measured: number, alone: number | undefined) =>
    `${Math.round(measured)} ms${alone === undefined ? "" : ` (${(measured / alone).toFixed(2)} times)`}`;
  return (
    `${events} events of the others, from event to first attempt p50 ${Math.round(fromEvent.p50)} ms, ` +
    `p99 ${p99(fromEvent.p99, without?.fromEvent.p99)}, longest ${Math.round(longestMs)} ms; from push p99 ${p99(fromPush.p99, without?.fromPush.p99)}`
  );
}
