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
/** So many are asked of one service: it makes teams on the way, of which an organization may have a hundred. */
const PART = 100_000;

function report({ wrong, wrongCount, statuses, answered, routes, slowestMs }: FuzzResult, seed: number): void {
  const counts = Object.entries(statuses).map(([status, count]) => `${count.toLocaleString("en")} ${status}`);
  console.log(
    `Seed ${seed}: ${counts.join(", ")}; at least ${answered} of ${routes} routes answered some with what was asked for;`,
  );
  console.log(`the slowest took ${Math.round(slowestMs)} ms; ${cpuSeconds()} s of CPU.`);
  for (const one of wrong) console.log(one);
  console.log(wrongCount === 0 ? "0 failures, 0 hangs, 0 other shapes." : `${wrongCount} wrong.`);
}

/** What came of all parts: routes that answered in one of them are counted where most did. */
function together(a: FuzzResult, b: FuzzResult): FuzzResult {
  const statuses = { ...a.statuses };
  for (const [status, count] of Object.entries(b.statuses)) {
    statuses[Number(status)] = (statuses[Number(status)] ?? 0) + count;
  }
  return {
    wrong: [...a.wrong, ...b.wrong],
    wrongCount: a.wrongCount + b.wrongCount,
    statuses,
    answered: Math.max(a.answered, b.answered),
    routes: b.routes,
    slowestMs: Math.max(a.slowestMs, b.slowestMs),
  };
}

/** @returns whether all went well. */
async function run(requests: number, seed: number, first: number): Promise<boolean> {
  const progress = new Progress({ label: "Fuzzing", total: requests, unit: "requests" });
  let all: FuzzResult = { wrong: [], wrongCount: 0, statuses: {}, answered: 0, routes: 0, slowestMs: 0 };
  for (let done = 0; done < requests; done += PART) {
    const service = await TestService.start();
    try {
      const part = { requests: Math.min(PART, requests - done), seed, first: first + done };
      const onProgress = (more: number, note: string) => progress.update(done + more, note);
      all = together(all, await fuzz(service, { ...part, onProgress }));
      await service.settle();
    } finally {
      await service.stop();
    }
  }
  progress.done("Asked.");
  report(all, seed);
  return all.wrongCount === 0;
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
