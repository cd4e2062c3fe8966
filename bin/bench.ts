import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Progress } from "../lib/cli/progress.ts";
import { measureAggregation } from "../test/bench/measure-aggregation.ts";
import { measureColdStarts } from "../test/bench/measure-cold-starts.ts";
import { measureDeliveries } from "../test/bench/measure-deliveries.ts";
import { measurePlaceLookups } from "../test/bench/measure-place-lookups.ts";
import { measureReads } from "../test/bench/measure-reads.ts";
import { measureService } from "../test/bench/measure-service.ts";
import { measureStorage } from "../test/bench/measure-storage.ts";
import { measureWrites } from "../test/bench/measure-writes.ts";
import { MeteredEngine } from "../test/bench/metered-engine.ts";
import { NaiveStore } from "../test/bench/naive-store.ts";
import {
  type BenchResult,
  drawCharts,
  measurementsMarkdown,
  replaceMeasurements,
  terminalTable,
} from "../test/bench/report.ts";
import { RunningService } from "../test/bench/running-service.ts";

const PAGE = "docs/performance.md";
const FIGURES = "docs/figures";
const STEPS = 4;

/** Runs all measurements, with the naive design on the same engine for comparison. */
async function measure(): Promise<BenchResult> {
  const progress = new Progress({ label: "Bench", total: STEPS, unit: "parts" });
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

const result = await measure();
for (const part of result.parts) console.log(terminalTable(part));
if (process.argv.includes("--write")) {
  writeFileSync(
    PAGE,
    replaceMeasurements(readFileSync(PAGE, "utf8"), measurementsMarkdown(result, new Date().toISOString())),
  );
  mkdirSync(FIGURES, { recursive: true });
  for (const [name, content] of Object.entries(drawCharts(result))) writeFileSync(`${FIGURES}/${name}`, content);
  console.log(`\nWritten to ${PAGE} and ${FIGURES}/.`);
} else console.log(`\nRun with --write to write these figures to ${PAGE}.`);
