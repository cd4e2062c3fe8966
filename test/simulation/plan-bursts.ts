import { createKeyedRandom, type KeyedRandom, randomBelow, randomChoice } from "./keyed-random.ts";

/** Records of some resources that one source of a user sends in one request. */
export interface PlannedPush {
  readonly name: string;
  /** Index of the user. */
  readonly user: number;
  readonly sourceType: "watch" | "phone";
  readonly resources: Readonly<Record<string, readonly Record<string, unknown>[]>>;
}

/** Requests in sequence at one virtual instant. */
export interface PushBurst {
  /** Milliseconds from the start. */
  readonly atMs: number;
  readonly pushes: readonly PlannedPush[];
}

/** Users whose data the requests change, by default. */
export const USER_COUNT = 10;
/** Few keys, so that most writes replace data and compete with other writes. */
const SAMPLE_KEY_COUNT = 5;
const DAY_COUNT = 3;
const BETWEEN_BURSTS_MS = 30_000;
const PUSHES_PER_BURST = 10;

/**
 * The days of samples. The first days have activity summaries; the service derives those of the other days from steps.
 */
const dayOf = (day: number) => new Date(Date.UTC(2029, 5, 1 + day)).toISOString().slice(0, 10);
const FIRST_DERIVED_DAY = 10;

type DrawInteger = (about: string, end: number) => number;
const value = (draw: DrawInteger, low: number, high: number) => low + draw("value", (high - low) * 100) / 100;

/** Possible records by resource: one record with a random key and value. */
const records: Readonly<Record<string, (draw: DrawInteger) => Record<string, unknown>>> = {
  heartrate: (draw) => ({
    timestamp: `${dayOf(0)}T08:00:0${draw("key", SAMPLE_KEY_COUNT)}Z`,
    value: value(draw, 40, 190),
  }),
  glucose: (draw) => ({
    timestamp: `${dayOf(draw("day", 2))}T08:0${draw("key", SAMPLE_KEY_COUNT)}:00Z`,
    value: value(draw, 3, 15),
  }),
  steps: (draw) => {
    const minute = `${dayOf(FIRST_DERIVED_DAY + draw("day", 2))}T08:0${draw("key", SAMPLE_KEY_COUNT)}`;
    return { start: `${minute}:00Z`, end: `${minute}:59Z`, value: 1 + draw("value", 200) };
  },
  activity: (draw) => ({ calendar_date: dayOf(draw("day", DAY_COUNT)), steps: draw("value", 30_000) }),
  body: (draw) => ({ calendar_date: dayOf(draw("day", DAY_COUNT)), weight: value(draw, 50, 120) }),
};
const resourceNames = Object.keys(records) as [string, ...string[]];

/** Plans requests that change few keys repeatedly, until they should create about `events` events. */
export function planBursts(seed: number, events: number, users = USER_COUNT): PushBurst[] {
  const random = createKeyedRandom(seed);
  const bursts: PushBurst[] = [];
  for (let expected = 0; expected < events; ) {
    const number = bursts.length;
    const pushes = Array.from({ length: PUSHES_PER_BURST }, (_, place) =>
      pushOf(random, `push ${number}.${place}`, users),
    );
    for (const push of pushes) expected += eventsOf(push);
    bursts.push({ atMs: number * BETWEEN_BURSTS_MS, pushes });
  }
  return bursts;
}

function pushOf(random: KeyedRandom, name: string, users: number): PlannedPush {
  const count = 2 + randomBelow(random, `${name} resources`, 3);
  const chosen = Array.from({ length: count }, (_, at) =>
    randomChoice(random, `${name} resource ${at}`, resourceNames),
  );
  const resources = chosen.map((resource) => {
    const many = 1 + randomBelow(random, `${name} ${resource} many`, 3);
    const drawn = Array.from({ length: many }, (_, at) =>
      records[resource]?.((about, end) => randomBelow(random, `${name} ${resource} ${at} ${about}`, end)),
    );
    return [resource, drawn.filter((record) => record !== undefined)] as const;
  });
  return {
    name,
    user: randomBelow(random, `${name} user`, users),
    sourceType: randomChoice(random, `${name} source`, ["watch", "phone"]),
    resources: Object.fromEntries(resources),
  };
}

/** One event per resource of samples, and one per summary, sent or derived from the steps of a day. */
function eventsOf({ resources }: PlannedPush): number {
  return Object.entries(resources).reduce((total, [name, recordsOfOne]) => {
    const summaries = new Set(recordsOfOne.map(({ calendar_date: date, start }) => date ?? String(start).slice(0, 10)));
    if (name === "steps") return total + 1 + summaries.size;
    return total + (name === "activity" || name === "body" ? summaries.size : 1);
  }, 0);
}
