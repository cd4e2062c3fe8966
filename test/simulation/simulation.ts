import type { TestService } from "../support/service.ts";
import { chanceOf } from "./chance.ts";
import { type Disorder, disorder } from "./disorder.ts";
import { ErringReceiver } from "./erring-receiver.ts";
import { planBursts, USERS } from "./plan.ts";
import { Sender } from "./sender.ts";
import { storedEvents } from "./stored.ts";
import { judge, type Verdict } from "./verdict.ts";
import { addTeam, BEGIN_MS, SECRET, startWorld, stopWorld } from "./world.ts";

/** Options of the simulation. */
export interface SimulationOptions {
  readonly seed: number;
  /** Approximate number of events. */
  readonly events: number;
  /** Receives the completed share, from 0 to 1. */
  readonly onProgress?: (part: number, note: string) => void;
}

/** Options and results. */
export interface SimulationResult extends Verdict {
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
const MOST_HOURS = 48;
/** The receiver is down for this part of the time in which the sender sends changes. */
const DOWN = { from: 0.4, until: 0.43 };

/**
 * Sends changes through the whole service while the service and its receiver fail, heals both, and compares their data.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const service = await startWorld(options.seed);
  const receiver = await ErringReceiver.start(service.cloud.clock, chanceOf(options.seed), SECRET);
  try {
    const team = await addTeam(service, "Simulated", receiver.url, USERS);
    const sender = new Sender(service, team);
    await service.advance(BEGIN_MS - service.cloud.clock.now());
    const disturbed = disorder(service.cloud, options.seed);
    await sendAll(options, { service, receiver, sender });
    disturbed.end();
    receiver.isHealed = true;
    const deadLetters = await comeToRest(service, sender);
    const calls = service.cloud.meter.snapshot().total.requests;
    const verdict = await judge({ service, team, sender, receiver });
    return { seed: options.seed, ...verdict, ...figures(disturbed, sender, receiver, service), calls, deadLetters };
  } finally {
    await receiver.stop();
    await stopWorld(service);
  }
}

type Parts = { readonly service: TestService; readonly receiver: ErringReceiver; readonly sender: Sender };

/** Sends all bursts and continues for some virtual minutes, so that faults affect repetitions too. */
async function sendAll({ seed, events, onProgress }: SimulationOptions, { service, receiver, sender }: Parts) {
  const { clock } = service.cloud;
  const bursts = planBursts(seed, events);
  const lengthMs = (bursts.at(-1)?.atMs ?? 0) + 1;
  for (const [place, { atMs, pushes }] of bursts.entries()) {
    clock.at(BEGIN_MS + atMs, async () => {
      onProgress?.(place / bursts.length, `${receiver.taken.size} events taken`);
      for (const push of pushes) await sender.push(push);
    });
  }
  for (const isDown of [true, false]) {
    clock.at(BEGIN_MS + (isDown ? DOWN.from : DOWN.until) * lengthMs, () => {
      receiver.isDown = isDown;
    });
  }
  await service.advance(BEGIN_MS + lengthMs - clock.now());
  await service.advance(10 * MINUTE_MS);
}

/**
 * Runs the service until it is idle, and redrives dead letters as the runbook describes.
 * @returns the number of dead letters.
 */
async function comeToRest(service: TestService, sender: Sender): Promise<number> {
  const { queues } = service.cloud;
  let deadLetters = 0;
  for (let hour = 0; hour < MOST_HOURS; hour++) {
    await service.advance(HOUR_MS);
    let moved = 0;
    for (const { arn, redrive } of queues.queues()) if (redrive) moved += queues.redrive(redrive.deadLetterArn, arn);
    deadLetters += moved;
    const { states } = await storedEvents(service);
    const isOpen = [...states.values()].flat().some((state) => state === "pending" || state === "parked");
    if (moved === 0 && !isOpen && sender.open === 0) return deadLetters;
  }
  return deadLetters;
}

function figures({ struck, counts }: Disorder, sender: Sender, receiver: ErringReceiver, { cloud }: TestService) {
  const requests = [...receiver.requests.values()].reduce((total, count) => total + count, 0);
  const virtualHours = Math.round((cloud.clock.now() - BEGIN_MS) / HOUR_MS);
  return { injectedFailures: struck(), ...counts, repeated: sender.refusals, requests, virtualHours };
}
