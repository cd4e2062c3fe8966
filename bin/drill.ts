import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { Progress } from "../lib/terminal/progress.ts";
import { Race } from "../test/unit/deletion/race.ts";
import { RaceStage } from "../test/unit/deletion/race-stage.ts";

const USAGE = `Usage: npm run drill -- races [--runs 20000] [--seed <number>]

races  Plays create, delete, undo, rename and the erasure timer against each other in drawn orders, on the real
       DynamoDB engine, and checks every answer. Run n has the seed <number> + n - 1; without --seed it is drawn.`;

const DEFAULT_RUNS = 20_000;
const LARGEST_SEED = 2 ** 31;

/** Plays so many races, the first with this seed. @returns the exit code: 1 when a rule was broken. */
async function races(runs: number, firstSeed: number): Promise<number> {
  const stage = await RaceStage.open();
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
    progress.done(`${runs} runs (${seeds}), ${steps} steps in drawn order, no rule broken, ${seconds} s.`);
    return 0;
  } catch (error) {
    progress.done("A rule is broken.");
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    await stage.close();
  }
}

function given(): { name: string | undefined; runs: number; seed: number } | undefined {
  try {
    const options = { runs: { type: "string" }, seed: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const runs = Number(values.runs ?? DEFAULT_RUNS);
    const seed = Number(values.seed ?? randomInt(1, LARGEST_SEED));
    return Number.isSafeInteger(runs) && runs > 0 && Number.isSafeInteger(seed)
      ? { name: positionals[0], runs, seed }
      : undefined;
  } catch {
    return undefined;
  }
}

const drill = given();
if (drill?.name === "races") {
  process.exitCode = await races(drill.runs, drill.seed);
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
