import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Progress } from "../lib/terminal/progress.ts";
import { aggregates } from "../test/bench/aggregates.ts";
import { CountedEngine } from "../test/bench/counted-engine.ts";
import { NaiveStore } from "../test/bench/naive-store.ts";
import { placeLookups } from "../test/bench/places.ts";
import { reads } from "../test/bench/reads.ts";
import { type BenchResult, charts, measurements, plainTable, withMeasurements } from "../test/bench/report.ts";
import { RunningService } from "../test/bench/running-service.ts";
import { throughService } from "../test/bench/service.ts";
import { storage } from "../test/bench/storage.ts";
import { writes } from "../test/bench/writes.ts";

const PAGE = "docs/performance.md";
const FIGURES = "docs/figures";
const STEPS = 4;

/** Runs all measurements, with the naive design on the same engine for comparison. */
async function measure(): Promise<BenchResult> {
  const progress = new Progress({ label: "Bench", total: STEPS, unit: "parts" });
  const { part: atRest, sizes } = storage();
  progress.update(1, "writing");
  const engine = await CountedEngine.start();
  const naive = await NaiveStore.create(engine.documents);
  try {
    const writing = await writes(engine, naive);
    progress.update(2, "reading, with up to 100,000 other users");
    const { part: reading, growth } = await reads(engine, naive);
    const querying = await aggregates(engine);
    progress.update(3, "npm start");
    const service = await RunningService.start();
    try {
      const running = await throughService(service, engine, naive);
      return { parts: [atRest, writing, reading, querying, running, await placeLookups()], sizes, growth };
    } finally {
      await service.stop();
    }
  } finally {
    await engine.stop();
    progress.done("Measured.");
  }
}

const result = await measure();
for (const part of result.parts) console.log(plainTable(part));
if (process.argv.includes("--write")) {
  writeFileSync(PAGE, withMeasurements(readFileSync(PAGE, "utf8"), measurements(result, new Date().toISOString())));
  mkdirSync(FIGURES, { recursive: true });
  for (const [name, content] of Object.entries(charts(result))) writeFileSync(`${FIGURES}/${name}`, content);
  console.log(`\nWritten to ${PAGE} and ${FIGURES}/.`);
} else console.log(`\nRun with --write to write these figures to ${PAGE}.`);
