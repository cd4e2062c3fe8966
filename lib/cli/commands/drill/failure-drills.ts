import { UsageRefused } from "../../frame/command-failed.ts";
import type { Command } from "../../frame/declaration.ts";
import { option, seed, wholeNumber } from "../../frame/values.ts";
import { declareDrill } from "./declare-drill.ts";

/** Drills of failing calls, missing grants and killed processes. */
export const failureDrills: readonly Command[] = [
  declareDrill(
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
  declareDrill(
    "faults",
    [
      "Injects every fault into every call of every function, one at a time",
      "The faults are a failure before and after the effect, a delay, and a crash. Compares with an undisturbed run.",
      "With --pairs, two faults instead: one in the invocation, and one in its first repetition.",
    ],
    { pairs: option("<count>", "number of drawn pairs for an invocation", wholeNumber().default(0)), seed },
    async ({ pairs, seed }) => (await import("../../../../test/drills/runs/faults.ts")).faults(pairs, seed),
  ),
  declareDrill(
    "grants",
    ["Removes random grants from functions, one at a time, and checks that the step that needs the grant fails"],
    { count: option("<count>", "number of grants", wholeNumber().default(30)), seed },
    async ({ count, seed }) => (await import("../../../../test/drills/runs/grants.ts")).grants(count, seed),
  ),
  declareDrill(
    "kills",
    [
      "Kills the service process while clients write, and restarts it on its data",
      "Compares the data with the responses that the clients received.",
    ],
    { rounds: option("<count>", "number of kills", wholeNumber().default(100)), seed },
    async ({ rounds, seed }) => (await import("../../../../test/drills/runs/kills.ts")).kills(rounds, seed),
  ),
];
