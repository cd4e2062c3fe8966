import { buildLocally } from "../../lib/build/local-build.ts";
import type { TestService } from "../support/service.ts";
import { FaultyReceiver } from "./faulty-receiver.ts";
import { type FaultInjection, injectFaults } from "./inject-faults.ts";
import { judgeSimulation, type SimulationVerdict } from "./judge-simulation.ts";
import { createKeyedRandom, randomBelow } from "./keyed-random.ts";
import { planBursts, USER_COUNT } from "./plan-bursts.ts";
import { plantFault } from "./planted/plant-fault.ts";
import { plantedFaults } from "./planted/planted-faults.ts";
import { CallScheduler } from "./schedule/call-scheduler.ts";
import { scheduleService } from "./schedule/schedule-service.ts";
import { schedulePauses, seedProcess } from "./schedule/seed-process.ts";
import { Sender } from "./sender.ts";
import {
  addSimulatedTeam,
  RECEIVER_SECRET,
  SIMULATION_START_MS,
  startSimulatedService,
  stopSimulatedService,
} from "./simulated-service.ts";
import { disturbances, type SimulationScript } from "./simulation-script.ts";
import { readStoredEvents } from "./stored-data.ts";

/** Options of the simulation. */
export interface SimulationOptions extends Partial<SimulationScript> {
  readonly seed: number;
  /** Approximate number of events. */
  readonly events: number;
  /**
   * Whether the seed also orders the calls of concurrent functions, so that every run of a script is the same. That
   * changes clock and randomness of the process for good.
   */
  readonly isOrdered?: boolean;
  /** Receives the completed share, from 0 to 1. */
  readonly onProgress?: (part: number, note: string) => void;
}

/** Options and results. */
export interface SimulationResult extends SimulationVerdict {
  readonly seed: number;
  /** Number of failed calls of functions. */
  readonly injectedFailures: number;
  readonly deaths: number;
  readonly duplicates: number;
  readonly delayed: number;
  /** Number of repeated requests of the sender. */
  readonly repeated: number;
  /** Number of calls of functions that reached stores, queues, keys and the bus. */
  readonly calls: number;
  /** Number of requests to the receiver. */
  readonly requests: number;
  /** Number of messages that were redriven from dead-letter queues after the healing. */
  readonly deadLetters: number;
  readonly virtualHours: number;
  /** The steps of an ordered simulation: equal for equal options. */
  readonly trace: readonly string[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Longer than the longest retry interval, so a service that is not idle by then never is. */
const MAX_HOURS = 48;
/** The receiver is down for this part of the time in which the sender sends changes. */
const DOWNTIME = { from: 0.4, until: 0.43 };

/**
 * Sends changes through the whole service while the service and its receiver fail, heals both, and compares their data.
 */
export async function runSimulation(options: SimulationOptions): Promise<SimulationResult> {
  if (options.isOrdered) await prepareProcess(options.seed);
  const service = await startSimulatedService(options.seed);
  const receiver = await FaultyReceiver.start(service.cloud.clock, createKeyedRandom(options.seed), RECEIVER_SECRET);
  try {
    const team = await addSimulatedTeam(service, "Simulated", receiver.url, options.users ?? USER_COUNT);
    const scheduler = options.isOrdered ? orderCalls(service, options) : undefined;
    const fault = plantedFaults.find(({ name }) => name === options.fault);
    if (fault) plantFault(service, fault);
    const sender = new Sender(service, team);
    await service.advance(SIMULATION_START_MS - service.cloud.clock.now());
    const disturbed = injectFaults(service.cloud, options.seed, options.disturbances);
    await sendAll(options, { service, receiver, sender });
    disturbed.stop();
    receiver.isHealed = true;
    const deadLetters = await runUntilIdle(service, sender);
    // The judge's requests are not part of the run, and the stream may or may not be polled after its last one.
    const trace = [...(scheduler?.trace ?? [])];
    const calls = service.cloud.meter.snapshot().total.requests;
    const verdict = await judgeSimulation({ service, team, sender, receiver });
    const counts = { ...figures(disturbed, sender, receiver, service), calls, deadLetters };
    return { seed: options.seed, ...verdict, ...counts, trace };
  } finally {
    await receiver.stop();
    await stopSimulatedService(service);
  }
}

/** Fixes clock and randomness of the process. The build comes first, because it compares times of files. */
async function prepareProcess(seed: number): Promise<void> {
  await buildLocally();
  seedProcess(seed, SIMULATION_START_MS);
}

function orderCalls(service: TestService, { seed, drawn_steps: most = Infinity }: SimulationOptions): CallScheduler {
  const random = createKeyedRandom(seed);
  let steps = 0;
  const scheduler = new CallScheduler((count) => (steps < most ? randomBelow(random, `step ${steps++}`, count) : 0));
  scheduleService(service, scheduler);
  schedulePauses(scheduler);
  return scheduler;
}

type Parts = { readonly service: TestService; readonly receiver: FaultyReceiver; readonly sender: Sender };

/** Sends all bursts and continues for some virtual minutes, so that faults affect repetitions too. */
async function sendAll(options: SimulationOptions, { service, receiver, sender }: Parts) {
  const { seed, events, onProgress, disturbances: wanted = disturbances } = options;
  const { clock } = service.cloud;
  receiver.isHealed = !wanted.includes("receiver");
  const bursts = planBursts(seed, events, options.users);
  const lengthMs = (bursts.at(-1)?.atMs ?? 0) + 1;
  for (const [place, { atMs, pushes }] of bursts.entries()) {
    clock.at(SIMULATION_START_MS + atMs, async () => {
      onProgress?.(place / bursts.length, `${receiver.accepted.size} events taken`);
      for (const push of pushes)
        if (options.pushes === undefined || options.pushes.includes(push.name)) await sender.push(push);
    });
  }
  for (const isDown of [true, false]) {
    clock.at(SIMULATION_START_MS + (isDown ? DOWNTIME.from : DOWNTIME.until) * lengthMs, () => {
      receiver.isDown = isDown;
    });
  }
  await service.advance(SIMULATION_START_MS + lengthMs - clock.now());
  await service.advance(10 * MINUTE_MS);
}

/**
 * Runs the service until it is idle, and redrives dead letters as the runbook describes.
 * @returns the number of dead letters.
 */
async function runUntilIdle(service: TestService, sender: Sender): Promise<number> {
  const { queues } = service.cloud;
  let deadLetters = 0;
  for (let hour = 0; hour < MAX_HOURS; hour++) {
    await service.advance(HOUR_MS);
    let moved = 0;
    for (const { arn, redrive } of queues.queues()) if (redrive) moved += queues.redrive(redrive.deadLetterArn, arn);
    deadLetters += moved;
    const { states } = await readStoredEvents(service);
    const isOpen = [...states.values()].flat().some((state) => state === "pending" || state === "parked");
    if (moved === 0 && !isOpen && sender.pendingRequests === 0) return deadLetters;
  }
  return deadLetters;
}

function figures(
  { injectedCount, counts }: FaultInjection,
  sender: Sender,
  receiver: FaultyReceiver,
  { cloud }: TestService,
) {
  const requests = [...receiver.requests.values()].reduce((total, count) => total + count, 0);
  const virtualHours = Math.round((cloud.clock.now() - SIMULATION_START_MS) / HOUR_MS);
  return { injectedFailures: injectedCount(), ...counts, repeated: sender.serverErrors, requests, virtualHours };
}
