import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { Progress } from "../lib/terminal/progress.ts";
import { runErasureDrill } from "../test/local/service/erasure-drill.ts";
import { pullDays } from "../test/local/service/linking-world.ts";
import { runOrderDrill } from "../test/local/service/order-drill.ts";
import { compareQueries } from "../test/reference/aggregation/agreement.ts";
import { fuzzWhere } from "../test/reference/aggregation/where-fuzz.ts";
import { TestService } from "../test/support/service.ts";
import { Race } from "../test/unit/deletion/race.ts";
import { RaceStage } from "../test/unit/deletion/race-stage.ts";
import { runLimitDrill } from "../test/unit/usage/limit-drill.ts";

const USAGE = `Usage: npm run drill -- races [--runs 20000] [--seed <number>]
       npm run drill -- limits
       npm run drill -- queries [--runs 5000] [--seed <number>]
       npm run drill -- orders [--seed <number>]
       npm run drill -- erasure [--users 2000] [--erased 100] [--seed <number>]

races  Plays create, delete, undo, rename and the erasure timer against each other in drawn orders, on the real
       DynamoDB engine, and checks every answer. Run n has the seed <number> + n - 1; without --seed it is drawn.
limits Offers 1,600 requests a second for ten seconds to eight processes that share a limit of 500, on the real clock,
       and checks that between 450 and 550 of them are let through.
queries Asks the query engine and a plain reference the same random queries over random data, and gives the parser of
       conditions twenty times as many inputs, right and wrong ones; without --seed it is drawn.
orders Places 100 orders, each 20 times at once with its idempotency key, while calls of the functions fail before and
       after they have had their effect, and checks that there are 100 orders, each known to its laboratory once.
erasure Makes users with a canary in every field, erases some of them while calls fail, and searches all items, objects
       and files for what is left of them; compares every item of the others with what it was before.`;

const DEFAULT_RUNS = { races: 20_000, queries: 5_000 };
const CONDITIONS_PER_QUERY = 20;
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

/** Has eight processes keep one limit; the second in which they begin does not count. @returns the exit code: 1 when more or less than a tenth off was let through. */
async function limits(): Promise<number> {
  const drill = { processes: 8, limit: 500, perSecond: 200, seconds: 11 };
  const { accepted, leases } = await runLimitDrill(drill);
  const counting = accepted.slice(1);
  const mean = counting.reduce((sum, count) => sum + count, 0) / counting.length;
  const perProcess = (leases / drill.processes / drill.seconds).toFixed(1);
  process.stdout.write(`Let through by second: ${accepted.join(" ")}; ${mean} of ${drill.limit} on average.\n`);
  process.stdout.write(`${perProcess} leases a second and process.\n`);
  return Math.abs(mean - drill.limit) <= drill.limit / 10 ? 0 : 1;
}

/** Compares so many answers and reads so many conditions. @returns the exit code: 1 when one is wrong. */
function queries(runs: number, seed: number): number {
  const [answers, conditions] = [compareQueries(runs, seed), fuzzWhere(runs * CONDITIONS_PER_QUERY, seed)];
  for (const { problem } of [answers, conditions]) if (problem) process.stdout.write(`${problem}\n`);
  process.stdout.write(`Seed ${seed}: ${answers.runs} queries compared, ${conditions.runs} conditions read.\n`);
  return answers.problem || conditions.problem ? 1 : 0;
}

/** Has orders placed in duplicate while calls fail. @returns the exit code: 1 when one is there twice, or missing. */
async function orders(seed: number): Promise<number> {
  const service = await TestService.start();
  const [keys, copies] = [100, 20];
  const progress = new Progress({ label: "Orders", total: keys, unit: "keys" });
  try {
    const report = await runOrderDrill(service, { keys, copies, seed }, (done) => progress.update(done));
    const { requests, unavailable, timedOut, struck, tellings } = report;
    const seconds = Math.round(progress.elapsedMs / 1000);
    progress.done(`${keys} keys, each ${copies} times at once (seed ${seed}), ${seconds} s.`);
    process.stdout.write(
      `${struck} attempts struck; ${requests} requests, ${unavailable} answered 503, ${timedOut} timed out.\n`,
    );
    process.stdout.write(`${report.orders} orders; ${report.submissions} submissions, told ${tellings} times.\n`);
    const isOnce = report.orders === keys && report.submissions === keys && report.settledKeys === keys;
    return isOnce && report.strays === 0 ? 0 : 1;
  } finally {
    await service.stop();
  }
}

/** Erases some of many users while calls fail. @returns the exit code: 1 when something is left, or somebody else lost something. */
async function erasure(users: number, erased: number, seed: number): Promise<number> {
  const service = await TestService.start();
  await pullDays(service, 1);
  const progress = new Progress({ label: "Users", total: users, unit: "users" });
  const report = await runErasureDrill(service, { users, erased, seed }, (done) => progress.update(done));
  const { searched, files, collateral, consents } = report;
  progress.done(`${erased} of ${users} users erased (seed ${seed}), ${Math.round(progress.elapsedMs / 1000)} s.`);
  const where = [...new Set(files.map(({ file }) => file))].join(", ");
  const lines = [
    `${report.struck} attempts struck; ${report.certificates} certificates; consents ${JSON.stringify(consents)}.`,
    `Before: ${report.before} items named the erased. Afterwards: ${report.items} of ${searched.items} items, unpacked,`,
    `and ${files.length} places in ${searched.files} files of ${searched.bytes} bytes ${where}.`,
    `The files name ${report.othersInFiles} of the ${users - erased} others.`,
    `Ids of ${report.logged} of the erased stand in execution histories and logs, which expire after 90 days.`,
    `Others: ${report.othersItems} items compared, ${collateral.length} differ or are gone.`,
    ...collateral.slice(0, 10),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  const isSearched = report.othersInFiles === users - erased;
  const isClean = isSearched && report.items === 0 && files.length === 0 && collateral.length === 0;
  return isClean && report.certificates === erased ? 0 : 1;
}

interface Given {
  readonly name: string | undefined;
  readonly runs: number;
  readonly users: number;
  readonly erased: number;
  readonly seed: number;
}

function given(): Given | undefined {
  try {
    const text = { type: "string" } as const;
    const options = { runs: text, users: text, erased: text, seed: text } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const runs = Number(values.runs ?? DEFAULT_RUNS[positionals[0] === "queries" ? "queries" : "races"]);
    const [users, erased] = [Number(values.users ?? 2_000), Number(values.erased ?? 100)];
    const seed = Number(values.seed ?? randomInt(1, LARGEST_SEED));
    const isPossible = [runs, users, erased].every((count) => Number.isSafeInteger(count) && count > 0);
    return isPossible && erased <= users && Number.isSafeInteger(seed)
      ? { name: positionals[0], runs, users, erased, seed }
      : undefined;
  } catch {
    return undefined;
  }
}

const drill = given();
if (drill?.name === "races") {
  process.exitCode = await races(drill.runs, drill.seed);
} else if (drill?.name === "limits") {
  process.exitCode = await limits();
} else if (drill?.name === "queries") {
  process.exitCode = queries(drill.runs, drill.seed);
} else if (drill?.name === "orders") {
  process.exitCode = await orders(drill.seed);
} else if (drill?.name === "erasure") {
  process.exitCode = await erasure(drill.users, drill.erased, drill.seed);
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
