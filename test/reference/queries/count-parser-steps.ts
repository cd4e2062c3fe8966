import { Session } from "node:inspector/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { InvalidWhereError, parseWhere } from "../../../lib/domain/queries/expressions/parse-where.ts";
import { fuzzedColumnTypes } from "./fuzzed-columns.ts";

/**
 * Counts the executed blocks of the parser for each text by V8's coverage, without a clock. Runs in a thread that loads
 * only the parser, because coverage slows a thread down and lists all of its code.
 */
export function countParserSteps(texts: readonly string[]): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: texts });
    thread.once("message", resolve).once("error", reject);
  });
}

async function stepsOf(session: Session, text: string): Promise<number> {
  try {
    parseWhere(text, fuzzedColumnTypes);
  } catch (error) {
    if (!(error instanceof InvalidWhereError)) throw error;
  }
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const parser = result.filter(({ url }) => url.endsWith("lib/domain/queries/expressions/parse-where.ts"));
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
