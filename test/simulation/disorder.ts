import type { LocalCloud } from "../../lib/local/local-cloud.ts";
import { below, type Chance, chanceOf } from "./chance.ts";

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
const DEATHS = 0.02;
const MOST_CALLS_BEFORE_DEATH = 40;
const DUPLICATES = 0.05;
const LATEST_DUPLICATE_S = 120;
const DELAYED = 0.2;
const LONGEST_DELAY_S = 10;

/** The injected faults. */
export interface Disorder {
  readonly struck: () => number;
  readonly counts: { deaths: number; duplicates: number; delayed: number };
  /** Stops the injection. */
  end(): void;
}

/** Makes calls fail, invocations crash, and messages arrive late, twice and out of order, as the seed determines. */
export function disorder(cloud: LocalCloud, seed: number): Disorder {
  const chance = chanceOf(seed);
  const counts = { deaths: 0, duplicates: 0, delayed: 0 };
  for (const [place, fault] of faults.entries()) cloud.faults.add({ ...fault, seed: seed + place });
  killSome(cloud, chance, counts);
  const endQueues = disturbQueues(cloud, chance, counts);
  let struck = 0;
  const count = () => cloud.faults.list().reduce((total, fault) => total + fault.struck, 0);
  return {
    struck: () => struck || count(),
    counts,
    end() {
      struck = count();
      cloud.faults.clear();
      cloud.host.mortality = () => undefined;
      endQueues();
    },
  };
}

function killSome({ host }: LocalCloud, chance: Chance, counts: Disorder["counts"]): void {
  const asked = new Map<string, number>();
  host.mortality = (name, event) => {
    const about = `death ${name} ${contentOf(event)}`;
    const times = asked.get(about) ?? 0;
    asked.set(about, times + 1);
    if (chance(`${about} ${times}`) >= DEATHS) return undefined;
    counts.deaths += 1;
    return below(chance, `${about} ${times} calls`, MOST_CALLS_BEFORE_DEATH);
  };
}

/** The content of an event without message ids of its queue. */
function contentOf(event: unknown): string {
  const { Records = [], rawPath } = event as { Records?: { body?: string; dynamodb?: unknown }[]; rawPath?: string };
  return JSON.stringify([rawPath, Records.map(({ body, dynamodb }) => body ?? dynamodb)]);
}

/** @returns a function that stops it. */
function disturbQueues({ queues }: LocalCloud, chance: Chance, counts: Disorder["counts"]): () => void {
  const send = queues.send.bind(queues);
  const asked = new Map<string, number>();
  queues.send = (url, message) => {
    const about = `${url.split("/").at(-1)} ${message.body}`;
    const times = asked.get(about) ?? 0;
    asked.set(about, times + 1);
    const draw = (what: string, end: number) => below(chance, `${what} ${about} ${times}`, end);
    const { delayS = 0 } = message;
    if (chance(`duplicate ${about} ${times}`) < DUPLICATES) {
      counts.duplicates += 1;
      send(url, { ...message, delayS: delayS + draw("duplicate later", LATEST_DUPLICATE_S) });
    }
    if (chance(`delay ${about} ${times}`) >= DELAYED) return send(url, message);
    counts.delayed += 1;
    return send(url, { ...message, delayS: delayS + 1 + draw("delay", LONGEST_DELAY_S) });
  };
  return () => {
    queues.send = send;
  };
}
