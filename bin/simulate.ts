import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { Progress, type ProgressOptions } from "../lib/cli/progress.ts";
import { cpuSeconds, runSeeded } from "../lib/cli/run-seeded.ts";
import { runSimulation, type SimulationResult } from "../test/simulation/run-simulation.ts";
import { type OutageResult, simulateOutage } from "../test/simulation/simulate-outage.ts";

const USAGE = `Usage: npm run simulate -- [--events 1000] [--seed <number>]
       npm run simulate -- outage [--events 2000] [--days 3] [--seed <number>]

Runs the service in one process on the real engines and a virtual clock. Without --seed the seed is random; it is printed.

events   Changes few keys repeatedly while calls fail, functions crash, messages are delayed and duplicated, and the
         receiver fails. Afterwards no event may be lost, wrong or badly signed.
outage   Takes one webhook endpoint down for days while its events wait and 20 other endpoints receive theirs.`;

const MAX_SEED = 2 ** 31;
const OTHER_ENDPOINTS = 20;
const MAX_SHOWN = 10;

/** Lists that must be empty, by their name in the report. */
const listFailures = (result: SimulationResult): Record<string, readonly string[]> => ({
  "lost events": result.lost,
  "errors of the feed": result.feed,
  "changes that are not stored": result.notStored,
  "wrong values, last received": result.wrongLastReceived,
  "wrong values, highest version": result.wrongHighestVersion,
  "attempts that took effect after a later attempt": result.overtaken === 0 ? [] : [String(result.overtaken)],
  "bad signatures": result.badSignatures === 0 ? [] : [String(result.badSignatures)],
});

/** Uses the process clock, because a simulation freezes the system clock. */
const createProgress = (options: ProgressOptions) => new Progress(options, process.stderr, () => performance.now());

/** @returns whether no check failed. */
async function events(count: number, seed: number): Promise<boolean> {
  const progress = createProgress({ label: "Events", total: count, unit: "events" });
  const onProgress = (part: number, note: string) => progress.update(Math.round(part * count), note);
  const result = await runSimulation({ seed, events: count, onProgress });
  progress.done("Simulated.");
  console.log(
    `Seed ${seed}: ${result.events} events, ${result.requests} requests in ${result.virtualHours} virtual hours; ` +
      `${result.injectedFailures} failed calls, ${result.deaths} crashes, ${result.duplicates} duplicate and ${result.delayed} late ` +
      `messages, ${result.deadLetters} dead letters moved back; ${(result.calls / result.events).toFixed(1)} calls to ` +
      `stores, queues and the bus per event; ${cpuSeconds()} s of CPU.`,
  );
  const found = Object.entries(listFailures(result)).filter(([, list]) => list.length > 0);
  for (const [name, list] of found) console.log([`${list.length} ${name}:`, ...list.slice(0, MAX_SHOWN)].join("\n  "));
  if (found.length === 0) console.log("0 lost, 0 wrong, 0 bad signatures.");
  return found.length === 0;
}

async function outage(count: number, days: number, seed: number): Promise<boolean> {
  const progress = createProgress({ label: "Outage", total: count, unit: "waiting events" });
  const onProgress = (waiting: number) => progress.update(waiting);
  const result = await simulateOutage({ seed, events: count, days, otherTeams: OTHER_ENDPOINTS, onProgress });
  progress.done("Simulated.");
  const { otherTeamsP99S: p99 } = result;
  console.log(
    `Seed ${seed}: ${result.waiting} events waited for ${days} days; ${result.requestsWhileDown} requests during the ` +
      `outage, at most ${result.attemptsUsed} attempts used per event; all events delivered ` +
      `${result.minutesToRecover.toFixed(1)} minutes after the recovery. The p99 delivery latency of other endpoints was ` +
      `${p99.with} s, and ${p99.without} s without the outage (${result.otherTeamsEvents} events); ` +
      `${cpuSeconds()} s of CPU.`,
  );
  return isOutageHandled(result);
}

const isOutageHandled = ({ attemptsUsed, minutesToRecover, otherTeamsP99S }: OutageResult): boolean =>
  attemptsUsed <= 2 && minutesToRecover <= 60 && otherTeamsP99S.with <= 2 * otherTeamsP99S.without;

function parseArguments(): { name: string; events: number; days: number; seed: number } | undefined {
  try {
    const options = { events: { type: "string" }, seed: { type: "string" }, days: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const name = positionals[0] ?? "events";
    const count = Number(values.events ?? (name === "outage" ? 2_000 : 1_000));
    const [days, seed] = [Number(values.days ?? 3), Number(values.seed ?? randomInt(1, MAX_SEED))];
    const isValid = Number.isSafeInteger(count) && count > 0 && days > 0 && Number.isSafeInteger(seed);
    return isValid && ["events", "outage"].includes(name) ? { name, events: count, days, seed } : undefined;
  } catch {
    return undefined;
  }
}

await runSeeded(USAGE, parseArguments(), ({ name, events: count, days, seed }) => {
  // Errors are intended here, so they are not printed.
  console.error = () => undefined;
  return name === "outage" ? outage(count, days, seed) : events(count, seed);
});
