import { Session } from "node:inspector/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { parseWhere, WhereRefused } from "../../../lib/domain/aggregation/where.ts";
import { columns } from "./fuzzed-columns.ts";

/**
 * Counts how often blocks of the parser are entered for each text, as the engine's own coverage tells; no clock. In a
 * thread that has loaded the parser alone, since coverage slows down and lists all code that a thread has.
 */
export function countSteps(texts: readonly string[]): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: texts });
    thread.once("message", resolve).once("error", reject);
  });
}

async function stepsOf(session: Session, text: string): Promise<number> {
  try {
    parseWhere(text, columns);
  } catch (error) {
    if (!(error instanceof WhereRefused)) throw error;
  }
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const parser = result.filter(({ url }) => url.endsWith("lib/domain/aggregation/where.ts"));
  const ranges = parser.flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

if (!isMainThread && parentPort) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const counts: number[] = [];
  for (const text of workerData as string[]) counts.push(await stepsOf(session, text));
  parentPort.postMessage(counts);
}
