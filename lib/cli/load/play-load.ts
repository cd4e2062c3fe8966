import { randomUUID } from "node:crypto";
import * as z from "zod";
import { ServiceClient } from "../service/service-client.ts";
import { type LoadCost, readLoadCost, resetMeter } from "./load-cost.ts";
import { usualMix } from "./load-mix.ts";
import { drawLoad, formatLoad, type LoadRow, summarizeLoad } from "./load-report.ts";
import { type LoadOptions, runLoad } from "./run-load.ts";

/** A played load, as rows, text and drawing. */
export interface PlayedLoad {
  readonly rows: readonly LoadRow[];
  readonly cost: LoadCost | undefined;
  readonly text: string;
  readonly drawing: string;
}

type PlayOptions = Omit<LoadOptions, "mix" | "userIds"> & { readonly userCount: number };

/** Creates users, plays the usual mix with them, and deletes them. @throws CommandFailed if a user cannot be created. */
export async function playLoad({ userCount, ...options }: PlayOptions): Promise<PlayedLoad> {
  const { baseUrl, key, perSecond, seconds } = options;
  const client = new ServiceClient(baseUrl, { "x-service-api-key": key });
  const created = z.object({ user_id: z.string() });
  const userIds: string[] = [];
  try {
    for (let number = 0; number < userCount; number++) {
      const body = JSON.stringify({ client_user_id: `load-${randomUUID()}` });
      userIds.push((await client.call(created, "POST", "/v2/user", body)).user_id);
    }
    await resetMeter(baseUrl);
    const results = await runLoad({ ...options, mix: usualMix, userIds });
    const rows = summarizeLoad(results);
    const cost = await readLoadCost(baseUrl, results.length);
    const title = `${perSecond} requests a second for ${seconds} s: p50, p95, p99`;
    return { rows, cost, text: [formatLoad(rows), ...describeCost(cost)].join("\n\n"), drawing: drawLoad(title, rows) };
  } finally {
    for (const userId of userIds) await deleteUser(baseUrl, key, userId);
  }
}

/** Deletes a user. A user that stays is no reason to lose the result. */
async function deleteUser(baseUrl: string, key: string, userId: string): Promise<void> {
  const request = { method: "DELETE", headers: { "x-service-api-key": key } };
  await fetch(`${baseUrl}/v2/user/${userId}`, request).catch(() => undefined);
}

function describeCost(cost: LoadCost | undefined): string[] {
  if (!cost) return [];
  const { readUnits, writeUnits, perMillion } = cost;
  const price = `$${perMillion.toFixed(2)} for a million requests of this mix`;
  return [`DynamoDB: ${readUnits} read units, ${writeUnits} write units, ${price} (list price, DynamoDB alone).`];
}
