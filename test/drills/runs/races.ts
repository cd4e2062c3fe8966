import { Progress } from "../../../lib/cli/progress.ts";
import { Race } from "../../unit/erasure/races/race.ts";
import { RaceFixture } from "../../unit/erasure/races/race-fixture.ts";

/** Runs races, the first with the seed `firstSeed`. @returns the exit code: 1 when an invariant was violated. */
export async function races(runs: number, firstSeed: number): Promise<number> {
  const stage = await RaceFixture.open();
  const progress = new Progress({ label: "Races", total: runs, unit: "runs" });
  let steps = 0;
  try {
    for (let run = 0; run < runs; run++) {
      const race = new Race(firstSeed + run, stage);
      await race.run();
      steps += race.trace.length;
      progress.update(run + 1, `seed ${firstSeed + run}`);
    }
    const seconds = Math.round(progress.elapsedMs / 1000);
    const seeds = `seeds ${firstSeed} to ${firstSeed + runs - 1}`;
    progress.done(`${runs} runs (${seeds}), ${steps} steps in random order, no invariant violated, ${seconds} s.`);
    return 0;
  } catch (error) {
    progress.done("An invariant was violated.");
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    await stage.close();
  }
}
