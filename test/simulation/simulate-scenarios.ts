import { writeFileSync } from "node:fs";
import type { Session } from "../../lib/cli/frame/session.ts";
import { Progress, type ProgressOptions } from "../../lib/cli/progress.ts";
import { cpuSeconds } from "../../lib/cli/run-seeded.ts";
import { findShortestScript } from "./find-shortest-script.ts";
import { runSimulation, type SimulationResult } from "./run-simulation.ts";
import { hashTrace } from "./schedule/call-scheduler.ts";
import { type OutageResult, simulateOutage } from "./simulate-outage.ts";
import type { SimulationScript } from "./simulation-script.ts";

const OTHER_ENDPOINTS = 20;
const MAX_SHOWN = 10;

/** Lists that must be empty, by their name in the report. */
const listFailures = (result: Omit<SimulationResult, "trace">): Record<string, readonly string[]> => ({
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

/** What a simulation of events writes besides its report. */
export interface SimulationFiles {
  /** File for the trace. */
  readonly trace?: string | undefined;
  /** File for the shortest script that fails as this one, if it fails. */
  readonly shrink?: string | undefined;
}

/** Simulates the events of a script and prints a report. */
export async function simulateEvents(script: SimulationScript, files: SimulationFiles, session: Session) {
  const progress = createProgress({ label: "Events", total: script.events, unit: "events" });
  const onProgress = (part: number, note: string) => progress.update(Math.round(part * script.events), note);
  const shrink = async () => {
    if (files.shrink !== undefined) await writeShortestScript(script, files.shrink, session);
  };
  const { trace, ...result } = await runSimulation({ ...script, onProgress, isOrdered: true }).catch(async (error) => {
    await shrink();
    throw error;
  });
  progress.done("Simulated.");
  session.print(
    `Seed ${script.seed}: ${result.events} events, ${result.requests} requests in ${result.virtualHours} virtual hours; ` +
      `${result.injectedFailures} failed calls, ${result.deaths} crashes, ${result.duplicates} duplicate and ${result.delayed} late ` +
      `messages, ${result.deadLetters} dead letters moved back; ${(result.calls / result.events).toFixed(1)} calls to ` +
      `stores, queues and the bus per event; ${cpuSeconds()} s of CPU.`,
  );
  const trace_hash = hashTrace(trace);
  session.print(`${trace.length} steps with the trace ${trace_hash}`);
  const found = Object.entries(listFailures(result)).filter(([, list]) => list.length > 0);
  for (const [name, list] of found)
    session.print([`${list.length} ${name}:`, ...list.slice(0, MAX_SHOWN)].join("\n  "));
  if (found.length === 0) session.print("0 lost, 0 wrong, 0 bad signatures.");
  if (files.trace !== undefined) writeFileSync(files.trace, `${trace.join("\n")}\n`);
  if (found.length > 0) await shrink();
  return { isOk: found.length === 0, data: { ...result, trace_steps: trace.length, trace_hash } };
}

async function writeShortestScript(script: SimulationScript, file: string, session: Session): Promise<void> {
  const shortest = await findShortestScript(script, (runs) => session.note(`Run ${runs} of a shorter script.`));
  writeFileSync(file, `${JSON.stringify(shortest, null, 2)}\n`);
  const { pushes = [], disturbances, drawn_steps = 0 } = shortest;
  session.print(
    `The shortest script that fails has ${pushes.length} requests, ${drawn_steps} drawn steps, and ` +
      `${disturbances.join(", ") || "nothing"} disturbed: ${file}`,
  );
}

/** Simulates an outage of one endpoint of some days, in which `count` events wait, and prints a report. */
export async function simulateOutageOf(
  { count, days, seed }: { count: number; days: number; seed: number },
  session: Session,
) {
  const progress = createProgress({ label: "Outage", total: count, unit: "waiting events" });
  const onProgress = (waiting: number) => progress.update(waiting);
  const result = await simulateOutage({ seed, events: count, days, otherTeams: OTHER_ENDPOINTS, onProgress });
  progress.done("Simulated.");
  const { otherTeamsP99S: p99 } = result;
  session.print(
    `Seed ${seed}: ${result.waiting} events waited for ${days} days; ${result.requestsWhileDown} requests during the ` +
      `outage, at most ${result.attemptsUsed} attempts used per event; all events delivered ` +
      `${result.minutesToRecover.toFixed(1)} minutes after the recovery. The p99 delivery latency of other endpoints was ` +
      `${p99.with} s, and ${p99.without} s without the outage (${result.otherTeamsEvents} events); ` +
      `${cpuSeconds()} s of CPU.`,
  );
  return { isOk: isOutageHandled(result), data: result };
}

const isOutageHandled = ({ attemptsUsed, minutesToRecover, otherTeamsP99S }: OutageResult): boolean =>
  attemptsUsed <= 2 && minutesToRecover <= 60 && otherTeamsP99S.with <= 2 * otherTeamsP99S.without;
