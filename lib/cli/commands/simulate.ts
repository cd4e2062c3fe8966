import * as z from "zod";
import { declareCommand } from "../frame/declaration.ts";
import { argument, option, path, seed, text, wholeNumber } from "../frame/values.ts";
import { runSeeded } from "../run-seeded.ts";

const DEFAULT_EVENTS = { events: 1_000, outage: 2_000 } as const;

export const simulate = declareCommand({
  name: "simulate",
  summary: "Runs the service in one process on the real engines and a virtual clock",
  description: [
    "The scenario events changes few keys repeatedly while calls fail, functions crash, messages are delayed and",
    "duplicated, and the receiver fails. Afterwards no event may be lost, wrong or badly signed.",
    "The seed also orders the calls of concurrent functions, so the same seed gives the same trace.",
    "The scenario outage takes one webhook endpoint down for days. Its events wait, and 20 other endpoints get theirs.",
  ],
  args: { scenario: argument("[scenario]", "what happens", z.enum(["events", "outage"]).default("events")) },
  options: {
    events: option("<count>", "number of events; by default 1000, or 2000 of an outage", wholeNumber().optional()),
    users: option("<count>", "number of users of the scenario events (default: 10)", wholeNumber().optional()),
    fault: option("<name>", "plants a defect, which the scenario events must notice", text.optional()),
    trace: option("<file>", "writes each step of the scenario events to a file", path.optional()),
    shrink: option("<file>", "writes the shortest script that still fails to a file", path.optional()),
    script: option("<file>", "runs a script of --shrink", path.optional()),
    days: option("<count>", "days of the outage", wholeNumber().default(3)),
    seed,
  },
  examples: [
    ["simulate --events 5000 --seed 7", "the same failures each time"],
    ["simulate outage --days 3", "an endpoint that is down for three days"],
  ],
  json: "option",
  run: async ({ scenario, events: count = DEFAULT_EVENTS[scenario], days, seed, ...given }, session) => {
    const { simulateEvents, simulateOutageOf } = await import("../../../test/simulation/simulate-scenarios.ts");
    const { readScript } = await import("../../../test/simulation/simulation-script.ts");
    const script = readScript(given.script, { seed, events: count, users: given.users, fault: given.fault });
    // Errors are intended here, so they are not printed.
    console.error = () => undefined;
    const run = () =>
      scenario === "outage" ? simulateOutageOf({ count, days, seed }, session) : simulateEvents(script, given, session);
    return runSeeded<{ isOk: boolean; data: object }>(script.seed, run);
  },
});
