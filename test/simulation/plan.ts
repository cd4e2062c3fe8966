import { below, type Chance, chanceOf, oneOf } from "./chance.ts";

/** Records of some resources that one source of a user sends in one request. */
export interface Push {
  readonly name: string;
  /** Index of the user. */
  readonly user: number;
  readonly sourceType: "watch" | "phone";
  readonly resources: Readonly<Record<string, readonly Record<string, unknown>[]>>;
}

/** Requests in sequence at one virtual instant. */
export interface Burst {
  /** Milliseconds from the start. */
  readonly atMs: number;
  readonly pushes: readonly Push[];
}

export const USERS = 10;
/** Few keys, so that most writes replace data and compete with other writes. */
const SAMPLES = 5;
const DAYS = 3;
const BETWEEN_BURSTS_MS = 30_000;
const PUSHES_PER_BURST = 10;

/**
 * The days of samples. The first days have activity summaries; the service derives those of the other days from steps.
 */
const dayOf = (day: number) => new Date(Date.UTC(2029, 5, 1 + day)).toISOString().slice(0, 10);
const FIRST_DERIVED_DAY = 10;

type Draw = (about: string, end: number) => number;
const value = (draw: Draw, low: number, high: number) => low + draw("value", (high - low) * 100) / 100;

/** Possible records by resource: one record with a random key and value. */
const records: Readonly<Record<string, (draw: Draw) => Record<string, unknown>>> = {
  heartrate: (draw) => ({ timestamp: `${dayOf(0)}T08:00:0${draw("key", SAMPLES)}Z`, value: value(draw, 40, 190) }),
  glucose: (draw) => ({
    timestamp: `${dayOf(draw("day", 2))}T08:0${draw("key", SAMPLES)}:00Z`,
    value: value(draw, 3, 15),
  }),
  steps: (draw) => {
    const minute = `${dayOf(FIRST_DERIVED_DAY + draw("day", 2))}T08:0${draw("key", SAMPLES)}`;
    return { start: `${minute}:00Z`, end: `${minute}:59Z`, value: 1 + draw("value", 200) };
  },
  activity: (draw) => ({ calendar_date: dayOf(draw("day", DAYS)), steps: draw("value", 30_000) }),
  body: (draw) => ({ calendar_date: dayOf(draw("day", DAYS)), weight: value(draw, 50, 120) }),
};
const resourceNames = Object.keys(records) as [string, ...string[]];

/** Plans requests that change few keys repeatedly, until they should create about `events` events. */
export function planBursts(seed: number, events: number): Burst[] {
  const chance = chanceOf(seed);
  const bursts: Burst[] = [];
  for (let expected = 0; expected < events; ) {
    const number = bursts.length;
    const pushes = Array.from({ length: PUSHES_PER_BURST }, (_, place) => pushOf(chance, `push ${number}.${place}`));
    for (const push of pushes) expected += eventsOf(push);
    bursts.push({ atMs: number * BETWEEN_BURSTS_MS, pushes });
  }
  return bursts;
}

function pushOf(chance: Chance, name: string): Push {
  const count = 2 + below(chance, `${name} resources`, 3);
  const chosen = Array.from({ length: count }, (_, at) => oneOf(chance, `${name} resource ${at}`, resourceNames));
  const resources = chosen.map((resource) => {
    const many = 1 + below(chance, `${name} ${resource} many`, 3);
    const drawn = Array.from({ length: many }, (_, at) =>
      records[resource]?.((about, end) => below(chance, `${name} ${resource} ${at} ${about}`, end)),
    );
    return [resource, drawn.filter((record) => record !== undefined)] as const;
  });
  return {
    name,
    user: below(chance, `${name} user`, USERS),
    sourceType: oneOf(chance, `${name} source`, ["watch", "phone"]),
    resources: Object.fromEntries(resources),
  };
}

/** One event per resource of samples, and one per summary, sent or derived from the steps of a day. */
function eventsOf({ resources }: Push): number {
  return Object.entries(resources).reduce((total, [name, recordsOfOne]) => {
    const summaries = new Set(recordsOfOne.map(({ calendar_date: date, start }) => date ?? String(start).slice(0, 10)));
    if (name === "steps") return total + 1 + summaries.size;
    return total + (name === "activity" || name === "body" ? summaries.size : 1);
  }, 0);
}
