import { setTimeout as pause } from "node:timers/promises";
import { type LoadStep, stepAt } from "./load-mix.ts";

/** The end of one request. */
export interface LoadResult {
  readonly step: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** From the instant at which the request was due, so that a slow service does not hide its own queue. */
  readonly latencyMs: number;
}

export interface LoadOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly mix: readonly LoadStep[];
  readonly perSecond: number;
  readonly seconds: number;
  /** Users whose data the load sends and reads. */
  readonly userIds: readonly string[];
  /** Called after each request. */
  readonly report: (ended: number) => void;
}

const TIMEOUT_MS = 30_000;

/** Sends requests at a constant rate, whether or not earlier ones have ended. @returns their results in order of end. */
export async function runLoad(options: LoadOptions): Promise<LoadResult[]> {
  const { perSecond, seconds } = options;
  const results: LoadResult[] = [];
  const startMs = performance.now();
  const open: Promise<void>[] = [];
  for (let number = 0; number < Math.floor(perSecond * seconds); number++) {
    const dueMs = startMs + (number * 1_000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 1) await pause(waitMs);
    open.push(
      send(options, number, dueMs).then((result) => {
        options.report(results.push(result));
      }),
    );
  }
  await Promise.all(open);
  return results;
}

async function send({ baseUrl, key, mix, userIds }: LoadOptions, number: number, dueMs: number): Promise<LoadResult> {
  const step = stepAt(mix, number);
  const userId = userIds[number % userIds.length] ?? "";
  const body = step.body?.(Math.floor(number / userIds.length));
  const request = {
    method: step.method,
    headers: { "content-type": "application/json", "x-service-api-key": key },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const status = await fetch(`${baseUrl}${step.path(userId, number)}`, request).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );
  return { step: step.name, status, latencyMs: performance.now() - dueMs };
}
