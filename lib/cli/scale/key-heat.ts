import { type AccessCounts, type Action, actions, type KeyCount, nameOfKey } from "./access-counts.ts";
import { PARTITION } from "./published-limits.ts";
import { busiestUserRate, peakRate, usersOfBusiestTeam } from "./stated-load.ts";

/** Whose actions meet at a key: those of one user, of one team, or of all users. */
export type KeyScope = "user" | "team" | "all";

/** Units a second at one partition key in the busiest hour. */
export interface KeyHeat {
  readonly table: string;
  readonly index: string | undefined;
  readonly key: string;
  readonly scope: KeyScope;
  readonly writeUnits: number;
  readonly readUnits: number;
  /** Share of the limit of a partition that is used, by writes or by reads. */
  readonly share: number;
}

/**
 * Share of the busiest of eight partitions. The last hexadecimal digit of an id selects one, and three of the sixteen
 * digits select the same (`DueShards`). Partitions that a digest selects share evenly, so they get less.
 */
const BUSIEST_SHARD = 3 / 16;

/** Whose actions meet at a key; undefined for a key of a single item, which few actions meet. */
export function scopeOf(key: string): KeyScope | undefined {
  if (key.includes("{user}")) return "user";
  if (key.includes("{item}")) return undefined;
  return key.includes("{team}") || key.includes("{credential}") ? "team" : "all";
}

/** Units of an action at a key. */
const unitsAt = (counts: AccessCounts, name: string, action: Action): KeyCount | undefined =>
  counts[action].keys.find((one) => nameOfKey(one) === name);

/** Returns the heat of every key, the hottest first. @param users all users of the deployment. */
export function listKeyHeat(counts: AccessCounts, users: number): KeyHeat[] {
  const all = new Map(actions.flatMap((action) => counts[action].keys.map((one) => [nameOfKey(one), one] as const)));
  const heats = [...all].flatMap(([name, { table, index, key }]) => {
    const scope = scopeOf(key);
    if (scope === undefined) return [];
    const rate = (action: Action) => actionRate(scope, action, users);
    const shard = key.includes("{shard}") ? BUSIEST_SHARD : 1;
    const sum = (unit: "write" | "read") =>
      actions.reduce((total, action) => total + (unitsAt(counts, name, action)?.[unit] ?? 0) * rate(action), 0) * shard;
    const [writeUnits, readUnits] = [sum("write"), sum("read")];
    const share = Math.max(writeUnits / PARTITION.writeUnits, readUnits / PARTITION.readUnits);
    return [{ table, index, key, scope, writeUnits, readUnits, share }];
  });
  return heats.toSorted((one, other) => other.share - one.share || (one.key < other.key ? -1 : 1));
}

function actionRate(scope: KeyScope, action: Action, users: number): number {
  if (scope === "user") return busiestUserRate(action);
  return peakRate(action, scope === "team" ? usersOfBusiestTeam(users) : users);
}

/** Users of one team, or of the deployment, at which a key reaches the limit of a partition. */
export function usersAtLimit({ scope, share }: KeyHeat, users: number): number | undefined {
  if (scope === "user" || share === 0) return undefined;
  return (scope === "team" ? usersOfBusiestTeam(users) : users) / share;
}
