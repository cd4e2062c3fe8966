import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { Progress } from "../lib/cli/progress.ts";
import { cpuSeconds, runSeeded } from "../lib/cli/run-seeded.ts";
import { type FuzzResult, runFuzz } from "../test/fuzz/run-fuzz.ts";
import { TestService } from "../test/support/service.ts";

const USAGE = `Usage: npm run fuzz -- [--requests 1000000] [--seed <number>] [--first <number>]

Fuzzes every route of a service in this process with valid requests and with requests in which a value, a text or a byte
is invalid. Every response must be without server error, take at most one second, and have the error format when it is an
error. Without --seed the seed is random; it is printed. --first starts at a later request of the seed.`;

const DEFAULT_REQUESTS = 1_000_000;
const MAX_SEED = 2 ** 31;
/** Requests per service instance. They create teams, of which an organization may have at most a hundred. */
const REQUESTS_PER_SERVICE = 100_000;

function report({ failures, failureCount, statuses, answered, routes, slowestMs }: FuzzResult, seed: number): void {
  const counts = Object.entries(statuses).map(([status, count]) => `${count.toLocaleString("en")} ${status}`);
  console.log(`Seed ${seed}: ${counts.join(", ")}; at least ${answered} of ${routes} routes returned a success;`);
  console.log(`slowest response ${Math.round(slowestMs)} ms; ${cpuSeconds()} s of CPU.`);
  for (const one of failures) console.log(one);
  console.log(
    failureCount === 0 ? "0 server errors, 0 timeouts, 0 malformed errors." : `${failureCount} wrong responses.`,
  );
}

/** Merges the results of two parts. `answered` is that of the part with more answered routes. */
function mergeResults(a: FuzzResult, b: FuzzResult): FuzzResult {
  const statuses = { ...a.statuses };
  for (const [status, count] of Object.entries(b.statuses)) {
    statuses[Number(status)] = (statuses[Number(status)] ?? 0) + count;
  }
  return {
    failures: [...a.failures, ...b.failures],
    failureCount: a.failureCount + b.failureCount,
    statuses,
    answered: Math.max(a.answered, b.answered),
    routes: b.routes,
    slowestMs: Math.max(a.slowestMs, b.slowestMs),
  };
}

/** @returns whether no response was wrong. */
async function run(requests: number, seed: number, first: number): Promise<boolean> {
  const progress = new Progress({ label: "Fuzzing", total: requests, unit: "requests" });
  let all: FuzzResult = { failures: [], failureCount: 0, statuses: {}, answered: 0, routes: 0, slowestMs: 0 };
  for (let done = 0; done < requests; done += REQUESTS_PER_SERVICE) {
    const service = await TestService.start();
    try {
      const part = { requests: Math.min(REQUESTS_PER_SERVICE, requests - done), seed, first: first + done };
      const onProgress = (more: number, note: string) => progress.update(done + more, note);
      all = mergeResults(all, await runFuzz(service, { ...part, onProgress }));
      await service.settle();
    } finally {
      await service.stop();
    }
  }
  progress.done("Done.");
  report(all, seed);
  return all.failureCount === 0;
}

function parseArguments(): { requests: number; seed: number; first: number } | undefined {
  try {
    const options = { requests: { type: "string" }, seed: { type: "string" }, first: { type: "string" } } as const;
    const { values } = parseArgs({ options });
    const [requests, first] = [Number(values.requests ?? DEFAULT_REQUESTS), Number(values.first ?? 0)];
    const seed = Number(values.seed ?? randomInt(1, MAX_SEED));
    const isValid = [requests, seed, first].every(Number.isSafeInteger) && requests > 0 && first >= 0;
    return isValid ? { requests, seed, first } : undefined;
  } catch {
    return undefined;
  }
}

await runSeeded(USAGE, parseArguments(), ({ requests, seed, first }) => run(requests, seed, first));
