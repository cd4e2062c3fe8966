import { UsageRefused } from "../../frame/command-failed.ts";
import { type Command, declareCommand, type ValueSpecs, type ValuesOf } from "../../frame/declaration.ts";
import { option, seed, wholeNumber } from "../../frame/values.ts";

const runs = (count: number) => option("<count>", "number of runs", wholeNumber().default(count));

/** Declares a drill. `run` returns the exit code of the drill. */
function drill<Options extends ValueSpecs>(
  name: string,
  [summary, ...description]: readonly [string, ...string[]],
  options: Options,
  run: (given: ValuesOf<Options>) => Promise<number>,
): Command {
  return declareCommand({
    name,
    summary,
    description,
    options,
    examples: [
      [`drill ${name}${"seed" in options ? " --seed 1" : ""}`, "seed" in options ? "the same each time" : "once"],
    ],
    run: async (given) => ({ isOk: (await run(given)) === 0 }),
  });
}

/** Every drill, in the order of docs/faults.md. */
export const drills: readonly Command[] = [
  drill(
    "races",
    [
      "Runs create, delete, undo, rename and the erasure timer of a user concurrently, in random order",
      "Uses the real DynamoDB engine and checks every response. Run n has the seed <number> + n - 1.",
    ],
    { runs: runs(20_000), seed },
    async ({ runs, seed }) => (await import("../../../../test/drills/runs/races.ts")).races(runs, seed),
  ),
  drill(
    "limits",
    [
      "Sends 1,600 requests per second for ten seconds to eight processes that share a limit of 500",
      "Runs on the real clock and checks that 450 to 550 per second are accepted.",
    ],
    {},
    async () => (await import("../../../../test/drills/runs/limits.ts")).limits(),
  ),
  drill(
    "queries",
    [
      "Compares the query engine with a simple reference implementation by random queries over random data",
      "Fuzzes the parser of conditions with twenty times as many valid and invalid inputs.",
    ],
    { runs: runs(5_000), seed },
    async ({ runs, seed }) => (await import("../../../../test/drills/runs/queries.ts")).queries(runs, seed),
  ),
  drill(
    "orders",
    [
      "Places 100 orders, each 20 times concurrently with the same idempotency key, while calls fail",
      "Checks that 100 orders exist and each laboratory receives its orders once.",
    ],
    { seed },
    async ({ seed }) => (await import("../../../../test/drills/runs/orders.ts")).orders(seed),
  ),
  drill(
    "erasure",
    [
      "Creates users with a canary in every field, erases some of them while calls fail, and searches for the canaries",
      "Searches all items, objects and files. Checks that the items of the other users are unchanged.",
    ],
    {
      users: option("<count>", "number of users", wholeNumber().default(2_000)),
      erased: option("<count>", "number of erased users", wholeNumber().default(100)),
      seed,
    },
    async ({ users, erased, seed }) => {
      if (erased > users) throw new UsageRefused("--erased must be at most --users");
      return (await import("../../../../test/drills/runs/erasure.ts")).erasure(users, erased, seed);
    },
  ),
  drill(
    "faults",
    [
      "Injects every fault into every call of every function, one at a time",
      "The faults are a failure before and after the effect, a delay, and a crash. Compares with an undisturbed run.",
    ],
    {},
    async () => (await import("../../../../test/drills/runs/faults.ts")).faults(),
  ),
  drill(
    "grants",
    ["Removes random grants from functions, one at a time, and checks that the step that needs the grant fails"],
    { count: option("<count>", "number of grants", wholeNumber().default(30)), seed },
    async ({ count, seed }) => (await import("../../../../test/drills/runs/grants.ts")).grants(count, seed),
  ),
  drill(
    "kills",
    [
      "Kills the service process while clients write, and restarts it on its data",
      "Compares the data with the responses that the clients received.",
    ],
    { rounds: option("<count>", "number of kills", wholeNumber().default(100)), seed },
    async ({ rounds, seed }) => (await import("../../../../test/drills/runs/kills.ts")).kills(rounds, seed),
  ),
  drill(
    "recorders",
    [
      "Devices and apps send, resend, correct and delete samples of the same instants, in random order",
      "The function fails and dies meanwhile. Compares reads, events and receipts with a simple reference.",
      "Run n has the seed <number> + n - 1.",
    ],
    { runs: runs(1_000), seed },
    async ({ runs, seed }) => (await import("../../../../test/drills/runs/recorders.ts")).recorders(runs, seed),
  ),
];
