import { Progress } from "../../../lib/cli/progress.ts";
import { RecorderSchedule } from "../../unit/timeseries/recorders/schedules/recorder-schedule.ts";
import { ScheduleFixture } from "../../unit/timeseries/recorders/schedules/schedule-fixture.ts";
import { ShuffledRequests } from "../../unit/timeseries/recorders/schedules/shuffled-requests.ts";

/** Orders in which the same requests must give the same reads. */
const WAYS = 50;
/** Schedules per set of requests that is stored in many orders. */
const RUNS_PER_SHUFFLE = 100;

/** What all schedules did together. */
const sum = { requests: 0, deliveries: 0, kills: 0, failures: 0, samples: 0, published: 0, orders: 0 };

/** Runs schedules, the first with the seed `firstSeed`. @returns the exit code: 1 when a promise was broken. */
export async function recorders(runs: number, firstSeed: number): Promise<number> {
  const stage = await ScheduleFixture.open();
  const progress = new Progress({ label: "Recorders", total: runs, unit: "schedules" });
  const broken: string[] = [];
  for (let run = 0; run < runs; run++) {
    const seed = firstSeed + run;
    const problems = await runOne(seed, stage, run % RUNS_PER_SHUFFLE === 0).catch((error) => [String(error)]);
    broken.push(...problems.map((problem) => `seed ${seed}: ${problem}`));
    progress.update(run + 1, `seed ${seed}`);
  }
  await stage.close();
  const { requests, deliveries, kills, failures, samples, published, orders } = sum;
  const faults = `${kills} kills, ${failures} failed calls`;
  const work = `${requests} requests, ${deliveries} deliveries, ${faults}, ${samples} samples, ${published} in events`;
  const seeds = `seeds ${firstSeed} to ${firstSeed + runs - 1}`;
  const end = `${broken.length} broken promises, ${Math.round(progress.elapsedMs / 1000)} s.`;
  progress.done(`${runs} schedules (${seeds}): ${work}, ${orders} orders of the same requests, ${end}`);
  for (const problem of broken) process.stdout.write(`${problem}\n`);
  return broken.length === 0 ? 0 : 1;
}

async function runOne(seed: number, stage: ScheduleFixture, isShuffled: boolean): Promise<readonly string[]> {
  const { broken, ...done } = await new RecorderSchedule(seed, stage).run();
  for (const name of Object.keys(done) as (keyof typeof done)[]) sum[name] += done[name];
  if (!isShuffled) return broken;
  sum.orders += WAYS;
  return [...broken, ...(await new ShuffledRequests(seed, stage).run(WAYS))];
}
