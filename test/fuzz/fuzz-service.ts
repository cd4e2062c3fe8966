import type { Session } from "../../lib/cli/frame/session.ts";
import { cpuSeconds } from "../../lib/cli/run-seeded.ts";
import { TestService } from "../support/service.ts";
import { type FuzzResult, runFuzz } from "./run-fuzz.ts";

/** Requests per service instance. They create teams, of which an organization may have at most a hundred. */
const REQUESTS_PER_SERVICE = 100_000;

function report(session: Session, seed: number, result: FuzzResult): void {
  const { failures, failureCount, statuses, answered, routes, slowestMs } = result;
  const counts = Object.entries(statuses).map(([status, count]) => `${count.toLocaleString("en")} ${status}`);
  session.print(`Seed ${seed}: ${counts.join(", ")}; at least ${answered} of ${routes} routes returned a success;`);
  session.print(`slowest response ${Math.round(slowestMs)} ms; ${cpuSeconds()} s of CPU.`);
  for (const one of failures) session.print(one);
  session.print(
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

/** Which requests to send, and to print to. */
export interface FuzzRun {
  readonly requests: number;
  readonly seed: number;
  /** First request of the seed. */
  readonly first: number;
}

/** Fuzzes services in this process, one after the other, and prints a report. */
export async function fuzzService({ requests, seed, first }: FuzzRun, session: Session) {
  const progress = session.progress({ label: "Fuzzing", total: requests, unit: "requests" });
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
  report(session, seed, all);
  return { isOk: all.failureCount === 0, data: { seed, ...all } };
}
