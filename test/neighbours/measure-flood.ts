import { type Flood, NOISY } from "./floods.ts";
import { NeighbourWorld } from "./neighbour-world.ts";
import { RandomDraws } from "./service/random-draws.ts";

/** Size of a measurement. */
export interface FloodSizes {
  readonly seed: number;
  /** Teams beside the noisy one, and the pushes of each in a second. */
  readonly teams: number;
  readonly perSecond: number;
  readonly warmUpS: number;
  readonly windowS: number;
  /** Share of the full flood. */
  readonly share: number;
}

/** What the other teams got, and how long the flood lasted. */
export interface FloodMeasurement {
  readonly events: number;
  /** From the stored event to its first attempt, and from the push to it, milliseconds. */
  readonly fromEvent: Percentiles;
  readonly fromPush: Percentiles;
  /** The longest time from event to first attempt, also while the promise does not hold. */
  readonly longestMs: number;
  /** The most instances that messages of the noisy team held at the same time. */
  readonly held: { readonly deliver: number; readonly attempt: number; readonly store: number };
  /** Minutes from the end of the flood until nothing waits; undefined if something still waits after the limit. */
  readonly drainedMinutes: number | undefined;
  readonly openDeliveries: number;
  readonly requests: number;
}
interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

/** How long the service may take to drain. */
const MAX_DRAIN_MS = 2 * 3_600_000;

/** Lets the teams push for a while, and one of them flood; without a flood measures the others alone. */
export async function measureFlood(sizes: FloodSizes, flood?: Flood): Promise<FloodMeasurement> {
  const world = new NeighbourWorld(sizes.seed);
  return world.run(async () => {
    const beginMs = world.startMs + sizes.warmUpS * 1000;
    const endMs = beginMs + Math.min(sizes.windowS, flood?.windowS ?? sizes.windowS) * 1000;
    for (let team = 0; team < sizes.teams; team++) {
      const teamId = `team-${team}`;
      world.addEndpoint(teamId);
      world.pushSteadily(teamId, sizes.perSecond, endMs, new RandomDraws(sizes.seed * 1_000 + team));
    }
    flood?.prepare?.(world);
    await world.time.passUntil(beginMs);
    flood?.begin(world, endMs, sizes.share);
    await world.time.passUntil(endMs);
    // The end of the flood: its receivers work.
    world.hanging.clear();
    await world.time.passUntil(endMs + MAX_DRAIN_MS, () => world.time.now() > endMs && world.isIdle);
    return summarize(world, beginMs, endMs, flood?.settleS);
  });
}

function summarize(world: NeighbourWorld, beginMs: number, endMs: number, settleS = 0): FloodMeasurement {
  if (world.service.errors.length > 0) throw new Error("consumers failed", { cause: world.service.errors[0] });
  const all = [...world.events.values()].filter(({ teamId, pushedMs }) => teamId !== NOISY && pushedMs >= beginMs);
  const times = all.filter(({ pushedMs }) => pushedMs >= beginMs + settleS * 1000);
  const missing = Number.POSITIVE_INFINITY;
  const { deliverPool, attemptPool, table } = world.service;
  const held = (pool: { readonly mostHeld: ReadonlyMap<string, number> }) => pool.mostHeld.get(NOISY) ?? 0;
  return {
    events: times.length,
    fromEvent: percentiles(times.map(({ attemptedMs = missing, storedMs = 0 }) => attemptedMs - storedMs)),
    fromPush: percentiles(times.map(({ attemptedMs = missing, pushedMs }) => attemptedMs - pushedMs)),
    longestMs: Math.max(...all.map(({ attemptedMs = missing, storedMs = 0 }) => attemptedMs - storedMs)),
    held: { deliver: held(deliverPool), attempt: held(attemptPool), store: held(world.ingestion.pool) },
    drainedMinutes: world.isIdle ? (world.time.now() - endMs) / 60_000 : undefined,
    openDeliveries: table.openDeliveries,
    requests: table.requests,
  };
}

function percentiles(durations: readonly number[]): Percentiles {
  const sorted = durations.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
