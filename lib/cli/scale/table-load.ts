import { type AccessCounts, actions } from "./access-counts.ts";
import { PARTITION } from "./published-limits.ts";
import { actionsPerDay, peakSum, STORED_DAYS } from "./stated-load.ts";

/** Load of one table with its indexes in the busiest hour, and its size after a year. */
export interface TableLoad {
  readonly table: string;
  /** Units a second. */
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly bytes: number;
  /** Partitions that the units or the bytes need, whichever need more. */
  readonly partitions: number;
}

/** Returns the load of every table that actions touch. @param users all users of the deployment. */
export function listTableLoads(counts: AccessCounts, users: number): TableLoad[] {
  const names = new Set(actions.flatMap((action) => counts[action].keys.map(({ table }) => table)));
  const loads = [...names].map((table) => {
    const sum = (unit: "write" | "read") =>
      peakSum(users, (action) => {
        const ofTable = counts[action].keys.filter((key) => key.table === table);
        return ofTable.reduce((units, key) => units + key[unit], 0);
      });
    const [writeUnits, readUnits] = [sum("write"), sum("read")];
    const bytes = storedBytes(counts, table) * users;
    const forUnits = writeUnits / PARTITION.writeUnits + readUnits / PARTITION.readUnits;
    const partitions = Math.ceil(Math.max(1, forUnits, bytes / PARTITION.bytes));
    return { table, writeUnits, readUnits, bytes, partitions };
  });
  return loads.toSorted((one, other) => other.writeUnits - one.writeUnits);
}

/** Bytes of a user in a table after a year. */
function storedBytes(counts: AccessCounts, table: string): number {
  return actions.reduce((sum, action) => {
    const { permanent = 0, byteDays = 0 } = counts[action].stored[table] ?? {};
    return sum + (permanent * STORED_DAYS + byteDays) * actionsPerDay[action];
  }, 0);
}
