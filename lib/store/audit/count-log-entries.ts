import { accessHours, accessLog, auditChains, auditHours, auditLog } from "../../contract/resources.ts";
import { hourOf, sealedLogName } from "../../domain/audit/hash-chain.ts";
import { scanKeys } from "../scan-keys.ts";
import type { Table } from "../table.ts";

/** Number of entries of a log by hour. */
export type EntryCountByHour = ReadonlyMap<string, number>;

/**
 * Returns every log of the audit table by name, with its entry counts by hour; also logs with blocks only. Scans all
 * keys.
 */
export async function countLogEntries(table: Table): Promise<Map<string, Map<string, number>>> {
  const logs = new Map<string, Map<string, number>>();
  for await (const { pk, sk } of scanKeys(table)) {
    const name = logNameOf(pk);
    if (name === undefined) continue;
    const hours = logs.get(name) ?? new Map<string, number>();
    logs.set(name, hours);
    if (!pk.startsWith(auditChains.keyPrefix)) hours.set(hourOf(sk), (hours.get(hourOf(sk)) ?? 0) + 1);
  }
  return logs;
}

/** Returns the name of a partition's log; undefined for marks. */
function logNameOf(pk: string): string | undefined {
  if (pk.startsWith(accessHours.keyPrefix) || pk.startsWith(auditHours.keyPrefix)) return undefined;
  if (pk.startsWith(auditChains.keyPrefix)) return pk.slice(auditChains.keyPrefix.length);
  const id = pk.split("#");
  if (pk.startsWith(accessLog.keyPrefix)) return sealedLogName({ kind: "access", id: id[1] ?? "" });
  return pk.startsWith(auditLog.keyPrefix) ? sealedLogName({ kind: "management", id: id[2] ?? "" }) : undefined;
}
