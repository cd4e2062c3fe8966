import * as z from "zod";
import { prices } from "../../domain/usage/prices.ts";

const units = z.object({ requests: z.number(), read_units: z.number(), write_units: z.number() });
const meter = z.object({ total: units });

/** What a load used of DynamoDB, and its list price in US dollars for a million requests of the load. */
export interface LoadCost {
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly perMillion: number;
}

/** Reads the meter of a local service once nothing runs any more; undefined for a deployment, which has none. */
export async function readLoadCost(baseUrl: string, requests: number): Promise<LoadCost | undefined> {
  const settled = await fetch(`${baseUrl}/_local/settle`, { method: "POST" }).catch(() => undefined);
  if (!settled?.ok) return undefined;
  const { total } = meter.parse(await (await fetch(`${baseUrl}/_local/meter`)).json());
  const { read_units: readUnits, write_units: writeUnits } = total;
  const price = readUnits * prices.dynamodbRead + writeUnits * prices.dynamodbWrite;
  return { readUnits, writeUnits, perMillion: (price / requests) * 1e6 };
}

/** Starts the meter of a local service anew. A deployment has none. */
export async function resetMeter(baseUrl: string): Promise<void> {
  await fetch(`${baseUrl}/_local/meter`, { method: "DELETE" }).catch(() => undefined);
}
