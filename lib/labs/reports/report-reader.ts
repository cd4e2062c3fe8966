import { Worker } from "node:worker_threads";
import type { ParsedReport } from "../../domain/lab-reports/parse-report.ts";
import { PARSE_RUN_S } from "../../domain/lab-reports/report-job.ts";
import type { ReportPage } from "../../domain/lab-reports/report-page.ts";
import type { DetectWords, KnownNames } from "../../domain/lab-reports/report-reader.ts";
import { invalid } from "./check-files.ts";
import { readerScript } from "./reader-files.ts";
import type { ReaderAsked, ReaderTold } from "./reader-thread.ts";
import { UnreadableReport } from "./unreadable-report.ts";

/**
 * What the thread may take, in bytes: the largest page that is allowed takes 0.9 GB, what inflates without end meets it.
 */
const MOST_BYTES = 1_300_000_000;
const MOST_HEAP_MEGABYTES = 1024;
/** What one page may take; recognition of a full page takes two to three seconds. */
const MOST_PAGE_MILLISECONDS = 90_000;
/** What the rules may take that make results of all pages; a full report takes them half a second. */
const MOST_RULES_MILLISECONDS = 20_000;
/** What all of a report may take, its rules included: below the time of a run, so that the run can say that it failed. */
const MOST_REPORT_MILLISECONDS = (PARSE_RUN_S - 120) * 1000;
/** How often the thread is looked at: inflating fills about a gigabyte a second. */
const WATCH_MILLISECONDS = 50;
/** A thread without work is ended after this time, and its memory with it. */
const IDLE_MILLISECONDS = 30_000;

/** How reports are read. */
export interface ReadOptions {
  /** Finds the words of scans in the place of the engine. */
  readonly detect?: DetectWords | undefined;
  /** The names by which the results on the pages are found; without them only pages are read. */
  readonly known?: KnownNames | undefined;
}

/** What was read of a report. */
export interface Reading {
  readonly pages: ReportPage[];
  readonly parsed?: ParsedReport | undefined;
}

/** What readings may take, milliseconds. */
interface Deadlines {
  readonly page: number;
  readonly rules: number;
  readonly report: number;
}
const deadlines: Deadlines = {
  page: MOST_PAGE_MILLISECONDS,
  rules: MOST_RULES_MILLISECONDS,
  report: MOST_REPORT_MILLISECONDS,
};

/**
 * Reads reports in a thread of its own, one at a time, so that a file can neither block the service nor take its memory:
 * a thread that needs too much of either is ended. The thread keeps the engine between reports.
 */
export class ReportReader {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly #deadlines: Deadlines;

  constructor(most: Partial<Deadlines> = {}) {
    this.#deadlines = { ...deadlines, ...most };
  }

  /**
   * @throws UnreadableReport; Error when the thread or the service breaks for a reason that is not the file's.
   */
  read(files: readonly Uint8Array[], options: ReadOptions = {}): Promise<Reading> {
    const reading = this.#last.then(() => this.#readNow(files, options));
    this.#last = reading.catch(() => {});
    return reading;
  }

  async #readNow(files: readonly Uint8Array[], options: ReadOptions): Promise<Reading> {
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#start();
    worker.ref();
    try {
      return await outcome(worker, files, options, this.#deadlines);
    } finally {
      worker.unref();
      this.#idle = setTimeout(() => void this.end(), IDLE_MILLISECONDS).unref();
    }
  }

  #start(): Worker {
    const worker = new Worker(readerScript(), { resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MEGABYTES } });
    // The reading that breaks it tells of an error; without anybody who hears it, an error would end the process.
    worker.on("error", () => {});
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }

  /** Ends the thread; the next report starts another. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** Sends files to the thread and waits for its word, its end, or for it to take too much. */
function outcome(
  worker: Worker,
  files: readonly Uint8Array[],
  { detect, known }: ReadOptions,
  most: Deadlines,
): Promise<Reading> {
  const { promise, resolve, reject } = Promise.withResolvers<Reading>();
  const start = performance.now();
  let stage = { start, most: most.page };
  const stop = (error: Error) => void worker.terminate().then(() => reject(error));
  let isAsked = false;
  const watch = setInterval(async () => {
    const now = performance.now();
    if (now - stage.start > stage.most || now - start > most.report) stop(tooSlow());
    if (isAsked) return;
    isAsked = true;
    if ((await bytesOf(worker)) > MOST_BYTES) stop(tooLarge());
    isAsked = false;
  }, WATCH_MILLISECONDS);
  const hear = (told: ReaderTold) => {
    if (told.kind === "image") void detect?.(told.png).then((words) => ask(worker, { kind: "words", words }), stop);
    else if (told.kind === "page") stage = { start: performance.now(), most: most.page };
    else if (told.kind === "rules") stage = { start: performance.now(), most: most.rules };
    else if (told.kind === "pages") resolve(told);
    else reject(errorOf(told));
  };
  const fail = (error: unknown) => reject(isOutOfMemory(error) ? tooLarge() : error);
  // What has been stopped ends too, and is then told already why.
  const ended = () => setImmediate(() => reject(new Error("the thread that reads reports has ended")));
  worker.on("message", hear).on("error", fail).on("exit", ended);
  ask(worker, { kind: "files", files, isDetected: detect !== undefined, known });
  return promise.finally(() => {
    clearInterval(watch);
    worker.off("message", hear).off("error", fail).off("exit", ended);
  });
}

const ask = (worker: Worker, asked: ReaderAsked) => worker.postMessage(asked);

/** The heap of the thread and what lies outside of it: decoded images, inflated streams. */
async function bytesOf(worker: Worker): Promise<number> {
  // A thread that has not begun, or has ended, can not say.
  const statistics = await worker.getHeapStatistics().catch(() => undefined);
  return statistics ? statistics.used_heap_size + statistics.external_memory : 0;
}

const tooLarge = () => invalid("The report unfolds to more than can be read.");
const tooSlow = () => new UnreadableReport("processing_error", "The report takes too long to read.");
const isOutOfMemory = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

function errorOf(told: ReaderTold): Error {
  if (told.kind === "unreadable") return new UnreadableReport(told.reason, told.refusal);
  return new Error(told.kind === "failed" ? `reading a report failed: ${told.message}` : "no pages");
}
