import type { LocalCloud } from "../../lib/local/local-cloud.ts";
import { createKeyedRandom, type KeyedRandom, randomBelow } from "./keyed-random.ts";
import { disturbances } from "./simulation-script.ts";

/**
 * One in ten calls to stores, queues, keys and the bus fails, before or after its effect. Clients retry calls; one in
 * fifty calls fails at every retry.
 */
const faults = [
  { mode: "fail_before", every_attempt: false, probability: 0.04 },
  { mode: "fail_after", every_attempt: false, probability: 0.04 },
  { mode: "fail_before", every_attempt: true, probability: 0.01 },
  { mode: "fail_after", every_attempt: true, probability: 0.01 },
] as const;
const DEATH_RATE = 0.02;
const MAX_CALLS_BEFORE_DEATH = 40;
const DUPLICATE_RATE = 0.05;
const MAX_DUPLICATE_DELAY_S = 120;
const DELAY_RATE = 0.2;
const MAX_DELAY_S = 10;

/** The injected faults. */
export interface FaultInjection {
  readonly injectedCount: () => number;
  readonly counts: { deaths: number; duplicates: number; delayed: number };
  /** Stops the injection. */
  stop(): void;
}

/** Makes calls fail, invocations crash, and messages arrive late, twice and out of order, as the seed determines. */
export function injectFaults(
  cloud: LocalCloud,
  seed: number,
  wanted: readonly (typeof disturbances)[number][] = disturbances,
): FaultInjection {
  const random = createKeyedRandom(seed);
  const counts = { deaths: 0, duplicates: 0, delayed: 0 };
  if (wanted.includes("calls"))
    for (const [place, fault] of faults.entries()) cloud.faults.add({ ...fault, seed: seed + place });
  if (wanted.includes("crashes")) injectDeaths(cloud, random, counts);
  const endQueues = wanted.includes("messages") ? disturbQueues(cloud, random, counts) : () => undefined;
  let struck = 0;
  const count = () => cloud.faults.list().reduce((total, fault) => total + fault.struck, 0);
  return {
    injectedCount: () => struck || count(),
    counts,
    stop() {
      struck = count();
      cloud.faults.clear();
      cloud.host.crashPlan = () => undefined;
      endQueues();
    },
  };
}

function injectDeaths({ host }: LocalCloud, random: KeyedRandom, counts: FaultInjection["counts"]): void {
  const asked = new Map<string, number>();
  host.crashPlan = (name, event) => {
    const about = `death ${name} ${contentOf(event)}`;
    const times = asked.get(about) ?? 0;
    asked.set(about, times + 1);
    if (random(`${about} ${times}`) >= DEATH_RATE) return undefined;
    counts.deaths += 1;
    return randomBelow(random, `${about} ${times} calls`, MAX_CALLS_BEFORE_DEATH);
  };
}

/** The content of an event without ids and instants that its queue or stream gives it. */
function contentOf(event: unknown): string {
  const { Records = [], rawPath } = event as { Records?: EventRecord[]; rawPath?: string };
  return JSON.stringify([rawPath, Records.map(({ body, dynamodb }) => body ?? dynamodb?.NewImage)]);
}

interface EventRecord {
  readonly body?: string;
  readonly dynamodb?: { readonly NewImage?: unknown };
}

/** @returns a function that stops it. */
function disturbQueues({ queues }: LocalCloud, random: KeyedRandom, counts: FaultInjection["counts"]): () => void {
  const send = queues.send.bind(queues);
  const asked = new Map<string, number>();
  queues.send = (url, message) => {
    const about = `${url.split("/").at(-1)} ${message.body}`;
    const times = asked.get(about) ?? 0;
    asked.set(about, times + 1);
    const draw = (what: string, end: number) => randomBelow(random, `${what} ${about} ${times}`, end);
    const { delayS = 0 } = message;
    if (random(`duplicate ${about} ${times}`) < DUPLICATE_RATE) {
      counts.duplicates += 1;
      send(url, { ...message, delayS: delayS + draw("duplicate later", MAX_DUPLICATE_DELAY_S) });
    }
    if (random(`delay ${about} ${times}`) >= DELAY_RATE) return send(url, message);
    counts.delayed += 1;
    return send(url, { ...message, delayS: delayS + 1 + draw("delay", MAX_DELAY_S) });
  };
  return () => {
    queues.send = send;
  };
}
