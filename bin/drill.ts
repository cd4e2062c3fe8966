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

const USAGE = `Usage: npm run drill -- races [--runs 20000] [--seed <number>]
       npm run drill -- limits
       npm run drill -- queries [--runs 5000] [--seed <number>]
       npm run drill -- orders [--seed <number>]
       npm run drill -- erasure [--users 2000] [--erased 100] [--seed <number>]
       npm run drill -- faults
       npm run drill -- grants [--count 30] [--seed <number>]
       npm run drill -- kills [--rounds 100] [--seed <number>]

races  Plays create, delete, undo, rename and the erasure timer against each other in drawn orders, on the real
       DynamoDB engine, and checks every answer. Run n has the seed <number> + n - 1; without --seed it is drawn.
limits Offers 1,600 requests a second for ten seconds to eight processes that share a limit of 500, on the real clock,
       and checks that between 450 and 550 of them are let through.
queries Asks the query engine and a plain reference the same random queries over random data, and gives the parser of
       conditions twenty times as many inputs, right and wrong ones; without --seed it is drawn.
orders Places 100 orders, each 20 times at once with its idempotency key, while calls of the functions fail before and
       after they have had their effect, and checks that there are 100 orders, each known to its laboratory once.
erasure Makes users with a canary in every field, erases some of them while calls fail, and searches all items, objects
       and files for what is left of them; compares every item of the others with what it was before.
faults Makes each call of each function fail before and after its effect, come late, and be its container's last, one at a
       time, while one story passes all functions; repeats what failed and compares with what there is undisturbed.
grants Takes grants from functions, one at a time, drawn from all there are, while one story passes all functions, and checks
       that the step that uses a grant fails without it; without --seed it is drawn.
kills  Starts the service in a process of its own, kills it while clients write, starts it again on what it left, and
       compares that with what the clients were answered.`;

const DEFAULT_RUNS = { races: 20_000, queries: 5_000 };
const LARGEST_SEED = 2 ** 31;

interface Given {
  readonly runs: number;
  readonly users: number;
  readonly erased: number;
  readonly rounds: number;
  readonly count: number;
  readonly seed: number;
}

/** What runs each drill; all answer the exit code. */
const drills: Readonly<Record<string, (given: Given) => number | Promise<number>>> = {
  races: ({ runs, seed }) => races(runs, seed),
  limits: () => limits(),
  queries: ({ runs, seed }) => queries(runs, seed),
  orders: ({ seed }) => orders(seed),
  erasure: ({ users, erased, seed }) => erasure(users, erased, seed),
  faults: () => faults(),
  grants: ({ count, seed }) => grants(count, seed),
  kills: ({ rounds, seed }) => kills(rounds, seed),
};

function given(): (Given & { name: string | undefined }) | undefined {
  try {
    const text = { type: "string" } as const;
    const options = { runs: text, users: text, erased: text, rounds: text, count: text, seed: text } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const runs = Number(values.runs ?? DEFAULT_RUNS[positionals[0] === "queries" ? "queries" : "races"]);
    const [users, erased] = [Number(values.users ?? 2_000), Number(values.erased ?? 100)];
    const [rounds, count] = [Number(values.rounds ?? 100), Number(values.count ?? 30)];
    const seed = Number(values.seed ?? randomInt(1, LARGEST_SEED));
    const isPossible = [runs, users, erased, rounds, count].every((one) => Number.isSafeInteger(one) && one > 0);
    return isPossible && erased <= users && Number.isSafeInteger(seed)
      ? { name: positionals[0], runs, users, erased, rounds, count, seed }
      : undefined;
  } catch {
    return undefined;
  }
}

const drill = given();
const run = drills[drill?.name ?? ""];
if (drill && run) {
  process.exitCode = await run(drill);
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
