import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { erasure } from "./drills/erasure.ts";
import { faults } from "./drills/faults.ts";
import { grants } from "./drills/grants.ts";
import { kills } from "./drills/kills.ts";
import { limits } from "./drills/limits.ts";
import { orders } from "./drills/orders.ts";
import { queries } from "./drills/queries.ts";
import { races } from "./drills/races.ts";
import { recorders } from "./drills/recorders.ts";

const USAGE = `Usage: npm run drill -- races [--runs 20000] [--seed <number>]
       npm run drill -- limits
       npm run drill -- queries [--runs 5000] [--seed <number>]
       npm run drill -- orders [--seed <number>]
       npm run drill -- erasure [--users 2000] [--erased 100] [--seed <number>]
       npm run drill -- faults
       npm run drill -- grants [--count 30] [--seed <number>]
       npm run drill -- kills [--rounds 100] [--seed <number>]
       npm run drill -- recorders [--runs 1000] [--seed <number>]

Runs a reliability drill. Without --seed the seed is random and printed.

races    Runs create, delete, undo, rename and the erasure timer of a user concurrently, in random order, on the real
         DynamoDB engine, and checks every response. Run n has the seed <number> + n - 1.
limits   Sends 1,600 requests per second for ten seconds to eight processes that share a limit of 500, on the real clock,
         and checks that 450 to 550 per second are accepted.
queries  Compares the query engine with a simple reference implementation by random queries over random data, and fuzzes
         the parser of conditions with twenty times as many valid and invalid inputs.
orders   Places 100 orders, each 20 times concurrently with the same idempotency key, while calls of the functions fail
         before and after their effect. Checks that 100 orders exist and each laboratory receives its orders once.
erasure  Creates users with a canary in every field, erases some of them while calls fail, and searches all items, objects
         and files for the canaries. Checks that the items of the other users are unchanged.
faults   Injects every fault into every call of every function, one at a time: failure before and after the effect, delay,
         and a crash after the call. Repeats failed calls and compares the result with an undisturbed run.
grants   Removes random grants from functions, one at a time, and checks that the step that needs the grant fails.
kills    Kills the service process while clients write, restarts it on its data, and compares the data with the responses
         that the clients received.
recorders
         Devices and apps send, resend, correct and delete samples of the same instants. Their batches are stored in
         random order while the function fails and dies. Compares reads, events and receipts with a simple reference.
         Run n has the seed <number> + n - 1.`;

const DEFAULT_RUNS: Readonly<Record<string, number>> = { races: 20_000, queries: 5_000, recorders: 1_000 };
const MAX_SEED = 2 ** 31;

interface DrillOptions {
  readonly runs: number;
  readonly users: number;
  readonly erased: number;
  readonly rounds: number;
  readonly count: number;
  readonly seed: number;
}

/** The drills by name. Each returns the exit code. */
const drills: Readonly<Record<string, (given: DrillOptions) => number | Promise<number>>> = {
  races: ({ runs, seed }) => races(runs, seed),
  limits: () => limits(),
  queries: ({ runs, seed }) => queries(runs, seed),
  orders: ({ seed }) => orders(seed),
  erasure: ({ users, erased, seed }) => erasure(users, erased, seed),
  faults: () => faults(),
  grants: ({ count, seed }) => grants(count, seed),
  kills: ({ rounds, seed }) => kills(rounds, seed),
  recorders: ({ runs, seed }) => recorders(runs, seed),
};

function parseArguments(): (DrillOptions & { name: string | undefined }) | undefined {
  try {
    const text = { type: "string" } as const;
    const options = { runs: text, users: text, erased: text, rounds: text, count: text, seed: text } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const runs = Number(values.runs ?? DEFAULT_RUNS[positionals[0] ?? ""] ?? 1);
    const [users, erased] = [Number(values.users ?? 2_000), Number(values.erased ?? 100)];
    const [rounds, count] = [Number(values.rounds ?? 100), Number(values.count ?? 30)];
    const seed = Number(values.seed ?? randomInt(1, MAX_SEED));
    const isPossible = [runs, users, erased, rounds, count].every((one) => Number.isSafeInteger(one) && one > 0);
    return isPossible && erased <= users && Number.isSafeInteger(seed)
      ? { name: positionals[0], runs, users, erased, rounds, count, seed }
      : undefined;
  } catch {
    return undefined;
  }
}

const drill = parseArguments();
const run = drills[drill?.name ?? ""];
if (drill && run) {
  process.exitCode = await run(drill);
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
