import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { accessHours, accessLog, auditChains, auditHours, auditLog } from "../../contract/resources.ts";
import { hourOf, nameOf } from "../../domain/audit/chain.ts";
import type { Item, Table } from "../table.ts";

/** How many entries a log has, by hour. */
export type LogHours = ReadonlyMap<string, number>;

const keys = z.object({ pk: z.string(), sk: z.string() });

/** Every log of the audit table by its name, with its hours; also one of which there are blocks alone. Reads all keys. */
export async function loggedHours(table: Table): Promise<Map<string, Map<string, number>>> {
  const logs = new Map<string, Map<string, number>>();
  let start: Item | undefined;
  do {
    const answer = await table.documents.send(
      new ScanCommand({ TableName: table.name, ProjectionExpression: "pk, sk", ExclusiveStartKey: start }),
    );
    for (const item of answer.Items ?? []) {
      const { pk, sk } = keys.parse(item);
      const name = logOf(pk);
      if (name === undefined) continue;
      const hours = logs.get(name) ?? new Map<string, number>();
      logs.set(name, hours);
      if (!pk.startsWith(auditChains.keyPrefix)) hours.set(hourOf(sk), (hours.get(hourOf(sk)) ?? 0) + 1);
    }
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
  return logs;
}

/** The name of the log that a partition belongs to; undefined of marks. */
function logOf(pk: string): string | undefined {
  if (pk.startsWith(accessHours.keyPrefix) || pk.startsWith(auditHours.keyPrefix)) return undefined;
  if (pk.startsWith(auditChains.keyPrefix)) return pk.slice(auditChains.keyPrefix.length);
  const id = pk.split("#");
  if (pk.startsWith(accessLog.keyPrefix)) return nameOf({ kind: "access", id: id[1] ?? "" });
  return pk.startsWith(auditLog.keyPrefix) ? nameOf({ kind: "management", id: id[2] ?? "" }) : undefined;
}
