import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { Progress } from "../lib/terminal/progress.ts";
import { cpuSeconds, runSeeded } from "../lib/terminal/run-seeded.ts";
import { type FuzzResult, fuzz } from "../test/fuzz/fuzz.ts";
import { TestService } from "../test/support/service.ts";

const USAGE = `Usage: npm run fuzz -- [--requests 1000000] [--seed <number>] [--first <number>]

Asks every route of a service in this process for what nobody should ask for: requests that fit their contracts but for
a value, a text or a byte, and some that fit. No answer may be a failure of the service, take longer than a second or
refuse in another shape than the one of errors. Without --seed it is drawn; --first begins with a later request of it.`;

const DEFAULT_REQUESTS = 1_000_000;
const LARGEST_SEED = 2 ** 31;

function report({ wrong, wrongCount, statuses, answered, routes, slowestMs }: FuzzResult, seed: number): void {
  const counts = Object.entries(statuses).map(([status, count]) => `${count.toLocaleString("en")} ${status}`);
  console.log(
    `Seed ${seed}: ${counts.join(", ")}; ${answered} of ${routes} routes answered some with what was asked for;`,
  );
  console.log(`the slowest took ${Math.round(slowestMs)} ms; ${cpuSeconds()} s of CPU.`);
  for (const one of wrong) console.log(one);
  console.log(wrongCount === 0 ? "0 failures, 0 hangs, 0 other shapes." : `${wrongCount} wrong.`);
}

/** @returns whether all went well. */
async function run(requests: number, seed: number, first: number): Promise<boolean> {
  const service = await TestService.start();
  const progress = new Progress({ label: "Fuzzing", total: requests, unit: "requests" });
  try {
    const result = await fuzz(service, {
      requests,
      seed,
      first,
      onProgress: (done, note) => progress.update(done, note),
    });
    progress.done("Asked.");
    report(result, seed);
    await service.settle();
    return result.wrongCount === 0;
  } finally {
    await service.stop();
  }
}

function given(): { requests: number; seed: number; first: number } | undefined {
  try {
    const options = { requests: { type: "string" }, seed: { type: "string" }, first: { type: "string" } } as const;
    const { values } = parseArgs({ options });
    const [requests, first] = [Number(values.requests ?? DEFAULT_REQUESTS), Number(values.first ?? 0)];
    const seed = Number(values.seed ?? randomInt(1, LARGEST_SEED));
    const isValid = [requests, seed, first].every(Number.isSafeInteger) && requests > 0 && first >= 0;
    return isValid ? { requests, seed, first } : undefined;
  } catch {
    return undefined;
  }
}

await runSeeded(USAGE, given(), ({ requests, seed, first }) => run(requests, seed, first));
