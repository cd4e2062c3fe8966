import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Session } from "../../lib/cli/frame/session.ts";
import { measureAggregation } from "./measure-aggregation.ts";
import { measureColdStarts } from "./measure-cold-starts.ts";
import { measureDeliveries } from "./measure-deliveries.ts";
import { measurePlaceLookups } from "./measure-place-lookups.ts";
import { measureReads } from "./measure-reads.ts";
import { measureService } from "./measure-service.ts";
import { measureStorage } from "./measure-storage.ts";
import { measureWrites } from "./measure-writes.ts";
import { MeteredEngine } from "./metered-engine.ts";
import { NaiveStore } from "./naive-store.ts";
import { type BenchResult, drawCharts, measurementsMarkdown, replaceMeasurements, terminalTable } from "./report.ts";
import { RunningService } from "./running-service.ts";

const PAGE = "docs/performance.md";
const FIGURES = "docs/figures";
const STEPS = 4;

/** Runs all measurements, with the naive design on the same engine for comparison. */
async function measure(session: Session): Promise<BenchResult> {
  const progress = session.progress({ label: "Bench", total: STEPS, unit: "parts" });
  const { part: atRest, sizes } = measureStorage();
  progress.update(1, "writing");
  const engine = await MeteredEngine.start();
  const naive = await NaiveStore.create(engine.documents);
  try {
    const writing = await measureWrites(engine, naive);
    progress.update(2, "reading, with up to 100,000 other users");
    const { part: reading, growth } = await measureReads(engine, naive);
    const querying = await measureAggregation(engine);
    progress.update(3, "npm start");
    const service = await RunningService.start();
    try {
      const deliveries = await measureDeliveries(service);
      const running = await measureService(service, engine, naive);
      const inProcess = [await measurePlaceLookups(), await measureColdStarts()];
      return { parts: [atRest, writing, reading, querying, deliveries, running, ...inProcess], sizes, growth };
    } finally {
      await service.stop();
    }
  } finally {
    await engine.stop();
    progress.done("Measured.");
  }
}

/** Measures everything and prints the tables. @param writes also writes them to the page and its figures. */
export async function runBench(writes: boolean, session: Session): Promise<BenchResult> {
  const result = await measure(session);
  for (const part of result.parts) session.print(terminalTable(part));
  if (writes) writePage(result);
  session.print(
    writes ? `\nWritten to ${PAGE} and ${FIGURES}/.` : `\nRun with --write to write these figures to ${PAGE}.`,
  );
  return result;
}

function writePage(result: BenchResult): void {
  const measurements = measurementsMarkdown(result, new Date().toISOString());
  writeFileSync(PAGE, replaceMeasurements(readFileSync(PAGE, "utf8"), measurements));
  mkdirSync(FIGURES, { recursive: true });
  for (const [name, content] of Object.entries(drawCharts(result))) writeFileSync(`${FIGURES}/${name}`, content);
}
