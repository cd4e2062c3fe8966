import { Worker } from "node:worker_threads";
import type { ReportPage } from "../../domain/lab-reports/report-page.ts";
import type { DetectWords } from "../../domain/lab-reports/report-reader.ts";
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
/** How often the thread is looked at: inflating fills about a gigabyte a second. */
const WATCH_MILLISECONDS = 50;
/** A thread without work is ended after this time, and its memory with it. */
const IDLE_MILLISECONDS = 30_000;

/**
 * Reads reports in a thread of its own, one at a time, so that a file can neither block the service nor take its memory:
 * a thread that needs too much of either is ended. The thread keeps the engine between reports.
 */
export class ReportReader {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param detect finds the words of scans in the place of the engine.
   * @throws UnreadableReport; Error when the thread or the service breaks for a reason that is not the file's.
   */
  read(files: readonly Uint8Array[], detect?: DetectWords): Promise<ReportPage[]> {
    const reading = this.#last.then(() => this.#readNow(files, detect));
    this.#last = reading.catch(() => {});
    return reading;
  }

  async #readNow(files: readonly Uint8Array[], detect?: DetectWords): Promise<ReportPage[]> {
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#start();
    worker.ref();
    try {
      return await outcome(worker, files, detect);
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
function outcome(worker: Worker, files: readonly Uint8Array[], detect?: DetectWords): Promise<ReportPage[]> {
  const { promise, resolve, reject } = Promise.withResolvers<ReportPage[]>();
  let pageStart = performance.now();
  const stop = (error: Error) => void worker.terminate().then(() => reject(error));
  let isAsked = false;
  const watch = setInterval(async () => {
    if (performance.now() - pageStart > MOST_PAGE_MILLISECONDS) stop(tooSlow());
    if (isAsked) return;
    isAsked = true;
    if ((await bytesOf(worker)) > MOST_BYTES) stop(tooLarge());
    isAsked = false;
  }, WATCH_MILLISECONDS);
  const hear = (told: ReaderTold) => {
    if (told.kind === "image") void detect?.(told.png).then((words) => ask(worker, { kind: "words", words }), stop);
    else if (told.kind === "page") pageStart = performance.now();
    else if (told.kind === "pages") resolve(told.pages);
    else reject(errorOf(told));
  };
  const fail = (error: unknown) => reject(isOutOfMemory(error) ? tooLarge() : error);
  // What has been stopped ends too, and is then told already why.
  const ended = () => setImmediate(() => reject(new Error("the thread that reads reports has ended")));
  worker.on("message", hear).on("error", fail).on("exit", ended);
  ask(worker, { kind: "files", files, isDetected: detect !== undefined });
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
const tooSlow = () => new UnreadableReport("processing_error", "A page takes too long to read.");
const isOutOfMemory = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

function errorOf(told: ReaderTold): Error {
  if (told.kind === "unreadable") return new UnreadableReport(told.reason, told.refusal);
  return new Error(told.kind === "failed" ? `reading a report failed: ${told.message}` : "no pages");
}
