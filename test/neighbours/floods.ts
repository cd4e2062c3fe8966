import type { WebhookEndpoint } from "../../lib/events/webhooks/webhook-endpoint.ts";
import type { NeighbourWorld } from "./neighbour-world.ts";
import { RandomDraws } from "./service/random-draws.ts";

/** The team that floods. */
export const NOISY = "noisy";

/** What the noisy team does. */
export interface Flood {
  readonly name: string;
  /** How long it is measured, if shorter than the others, in seconds. */
  readonly windowS?: number;
  /** Seconds after its begin in which the promise does not hold (docs/events.md, Delivery). */
  readonly settleS?: number;
  /** Prepares the team before the measurement begins. */
  readonly prepare?: (world: NeighbourWorld) => void;
  /** Begins the flood. @param share of its full size. */
  readonly begin: (world: NeighbourWorld, untilMs: number, share: number) => void;
}

/** Draws of a flood. */
const createRandom = (world: NeighbourWorld) => new RandomDraws(world.random.below(1_000_000));

/** Deliveries that wait at the dead endpoint, and the rate at which their events arrive. */
const WAITING = 100_000;
const PER_SECOND = 500;
/** Histories that arrive at once, each a year of values every ten minutes: 17,500 chunks in parts of 200. */
const HISTORIES = 200;
const HISTORY_PARTS = 88;
/** Endpoints that a team may have. The service refuses the others of a thousand. */
const ENDPOINTS = 100;
const EVENTS_PER_SECOND = 100;
/** How often the team replaces an endpoint by a new one, whose health nobody knows. */
const REPLACED_MS = 20_000;

const waitAtDeadEndpoint = (world: NeighbourWorld, share: number) =>
  world.pushSteadily(NOISY, PER_SECOND, world.time.now() + (share * WAITING * 1000) / PER_SECOND, createRandom(world));

/** Adds an endpoint that never answers. */
function addHanging(world: NeighbourWorld, types: readonly string[] = []): WebhookEndpoint {
  const endpoint = world.addEndpoint(NOISY, types);
  world.hanging.add(endpoint.endpoint_id);
  return endpoint;
}

/** The floods, each of one team. */
export const floods: readonly Flood[] = [
  {
    name: "100,000 deliveries wait at an endpoint that never answered",
    begin: (world, _, share) => {
      addHanging(world);
      waitAtDeadEndpoint(world, share);
    },
  },
  {
    name: "100,000 deliveries wait at a prompt endpoint that stops to answer",
    settleS: 17,
    prepare: (world) => {
      world.addEndpoint(NOISY);
      world.push(NOISY);
    },
    begin: (world, _, share) => {
      for (const { endpoint_id } of world.service.endpoints.get(NOISY) ?? []) world.hanging.add(endpoint_id);
      waitAtDeadEndpoint(world, share);
    },
  },
  {
    name: "500 pushes a second",
    windowS: 60,
    prepare: (world) => {
      world.addEndpoint(NOISY);
      world.push(NOISY);
    },
    begin: (world, untilMs) => world.pushSteadily(NOISY, PER_SECOND, untilMs, createRandom(world)),
  },
  {
    name: "200 histories of a year at once",
    prepare: (world) => void world.addEndpoint(NOISY),
    begin: (world, _, share) => {
      const parts = Math.ceil(HISTORY_PARTS * share);
      for (let history = 0; history < HISTORIES; history++) world.push(NOISY, { parts });
    },
  },
  {
    name: "50 events a second, each for 100 endpoints that answer",
    windowS: 20,
    prepare: (world) => {
      for (let index = 0; index < ENDPOINTS; index++) world.addEndpoint(NOISY);
      world.push(NOISY);
    },
    begin: (world, untilMs) => world.pushSteadily(NOISY, EVENTS_PER_SECOND / 2, untilMs, createRandom(world)),
  },
  {
    name: "100 endpoints that never answer",
    windowS: 120,
    begin: (world, untilMs) => {
      for (let index = 0; index < ENDPOINTS; index++) addHanging(world, [`flood.${index}`]);
      pushToEach(world, untilMs);
    },
  },
  {
    name: "the same, each replaced by a new one every 20 seconds",
    windowS: 120,
    begin: (world, untilMs) => {
      for (let index = 0; index < ENDPOINTS; index++) replaceAgainAndAgain(world, index, untilMs);
      pushToEach(world, untilMs);
    },
  },
];

/** Pushes events for one endpoint after the other. */
function pushToEach(world: NeighbourWorld, untilMs: number): void {
  const random = createRandom(world);
  const next = () => {
    if (world.time.now() >= untilMs) return;
    world.push(NOISY, { type: `flood.${random.below(ENDPOINTS)}` });
    world.time.at(world.time.now() + random.gapMs(EVENTS_PER_SECOND), next);
  };
  next();
}

function replaceAgainAndAgain(world: NeighbourWorld, index: number, untilMs: number): void {
  const next = (old?: WebhookEndpoint) => {
    if (old) world.removeEndpoint(old);
    const added = addHanging(world, [`flood.${index}`]);
    if (world.time.now() < untilMs) world.time.at(world.time.now() + REPLACED_MS, () => next(added));
  };
  next();
}
