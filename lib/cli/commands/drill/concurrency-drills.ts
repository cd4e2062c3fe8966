import type { Command } from "../../frame/declaration.ts";
import { option, seed, wholeNumber } from "../../frame/values.ts";
import { declareDrill } from "./declare-drill.ts";

const runs = (count: number) => option("<count>", "number of runs", wholeNumber().default(count));

/** Drills of concurrent and random calls. */
export const concurrencyDrills: readonly Command[] = [
  declareDrill(
    "races",
    [
      "Runs create, delete, undo, rename and the erasure timer of a user concurrently, in random order",
      "Uses the real DynamoDB engine and checks every response. Run n has the seed <number> + n - 1.",
    ],
    { runs: runs(20_000), seed },
    async ({ runs, seed }) => (await import("../../../../test/drills/runs/races.ts")).races(runs, seed),
  ),
  declareDrill(
    "limits",
    [
      "Sends 1,600 requests per second for ten seconds to eight processes that share a limit of 500",
      "Runs on the real clock and checks that 450 to 550 per second are accepted.",
    ],
    {},
    async () => (await import("../../../../test/drills/runs/limits.ts")).limits(),
  ),
  declareDrill(
    "neighbours",
    [
      "Lets one of 100 teams flood the service, and compares the delivery latency of the others with and without it",
      "Runs the real delivery of webhooks in virtual time. The others must not notice, and all must drain in an hour.",
    ],
    { seed },
    async ({ seed }) => (await import("../../../../test/drills/runs/neighbours.ts")).neighbours(seed),
  ),
  declareDrill(
    "queries",
    [
      "Compares the query engine with a simple reference implementation by random queries over random data",
      "Fuzzes the parser of conditions with twenty times as many valid and invalid inputs.",
    ],
    { runs: runs(5_000), seed },
    async ({ runs, seed }) => (await import("../../../../test/drills/runs/queries.ts")).queries(runs, seed),
  ),
  declareDrill(
    "orders",
    [
      "Places 100 orders, each 20 times concurrently with the same idempotency key, while calls fail",
      "Checks that 100 orders exist and each laboratory receives its orders once.",
    ],
    { seed },
    async ({ seed }) => (await import("../../../../test/drills/runs/orders.ts")).orders(seed),
  ),
  declareDrill(
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
