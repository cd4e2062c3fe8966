import type { TestService } from "../support/service.ts";
import { FaultyReceiver } from "./faulty-receiver.ts";
import { type FaultInjection, injectFaults } from "./inject-faults.ts";
import { judgeSimulation, type SimulationVerdict } from "./judge-simulation.ts";
import { createKeyedRandom } from "./keyed-random.ts";
import { planBursts, USER_COUNT } from "./plan-bursts.ts";
import { Sender } from "./sender.ts";
import {
  addSimulatedTeam,
  RECEIVER_SECRET,
  SIMULATION_START_MS,
  startSimulatedService,
  stopSimulatedService,
} from "./simulated-service.ts";
import { readStoredEvents } from "./stored-data.ts";

/** Options of the simulation. */
export interface SimulationOptions {
  readonly seed: number;
  /** Approximate number of events. */
  readonly events: number;
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
  const service = await startSimulatedService(options.seed);
  const receiver = await FaultyReceiver.start(service.cloud.clock, createKeyedRandom(options.seed), RECEIVER_SECRET);
  try {
    const team = await addSimulatedTeam(service, "Simulated", receiver.url, USER_COUNT);
    const sender = new Sender(service, team);
    await service.advance(SIMULATION_START_MS - service.cloud.clock.now());
    const disturbed = injectFaults(service.cloud, options.seed);
    await sendAll(options, { service, receiver, sender });
    disturbed.stop();
    receiver.isHealed = true;
    const deadLetters = await runUntilIdle(service, sender);
    const calls = service.cloud.meter.snapshot().total.requests;
    const verdict = await judgeSimulation({ service, team, sender, receiver });
    return { seed: options.seed, ...verdict, ...figures(disturbed, sender, receiver, service), calls, deadLetters };
  } finally {
    await receiver.stop();
    await stopSimulatedService(service);
  }
}

type Parts = { readonly service: TestService; readonly receiver: FaultyReceiver; readonly sender: Sender };

/** Sends all bursts and continues for some virtual minutes, so that faults affect repetitions too. */
async function sendAll({ seed, events, onProgress }: SimulationOptions, { service, receiver, sender }: Parts) {
  const { clock } = service.cloud;
  const bursts = planBursts(seed, events);
  const lengthMs = (bursts.at(-1)?.atMs ?? 0) + 1;
  for (const [place, { atMs, pushes }] of bursts.entries()) {
    clock.at(SIMULATION_START_MS + atMs, async () => {
      onProgress?.(place / bursts.length, `${receiver.accepted.size} events taken`);
      for (const push of pushes) await sender.push(push);
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
