import { Worker } from "node:worker_threads";
import type { ReportPage } from "../../../domain/lab-reports/page/report-page.ts";
import type { ParsedReport } from "../../../domain/lab-reports/parse-report.ts";
import { PARSE_RUN_TIMEOUT_S } from "../../../domain/lab-reports/report-job.ts";
import type { DetectWords, ReadingBasis } from "../../../domain/lab-reports/report-reader.ts";
import { invalidInput } from "../check-files.ts";
import { UnreadableReport } from "../unreadable-report.ts";
import { readerScriptUrl } from "./reader-files.ts";
import type { ReaderMessage, ReaderRequest } from "./reader-thread.ts";

/**
 * Memory limit of the thread, in bytes. The largest allowed page takes 0.9 GB; a decompression bomb reaches the limit.
 */
const MAX_THREAD_BYTES = 1_300_000_000;
const MAX_HEAP_MEGABYTES = 1024;
/** Time limit of one page; OCR of a full page takes two to three seconds. */
const MAX_PAGE_MS = 90_000;
/** Time limit of the extraction of results from all pages; a full report takes half a second. */
const MAX_RULES_MS = 20_000;
/** Time limit of a whole report: below the timeout of a run, so that the run can report the failure. */
const MAX_REPORT_MS = (PARSE_RUN_TIMEOUT_S - 120) * 1000;
/** Interval of the memory checks; decompression fills about a gigabyte per second. */
const WATCH_INTERVAL_MS = 50;
/** An idle thread ends after this time and frees its memory. */
const IDLE_TIMEOUT_MS = 30_000;

/** Options of a reading. */
export interface ReadOptions {
  /** Detects the words of scans in place of the OCR engine. */
  readonly detect?: DetectWords | undefined;
  /** Names to match the results against; without them only pages are read. */
  readonly basis?: ReadingBasis | undefined;
}

/** The pages of a report and, if names were given, its extracted content. */
export interface ReaderResult {
  readonly pages: ReportPage[];
  readonly parsed?: ParsedReport | undefined;
}

/** Time limits of a reading, milliseconds. */
interface Deadlines {
  readonly page: number;
  readonly rules: number;
  readonly report: number;
}
const deadlines: Deadlines = {
  page: MAX_PAGE_MS,
  rules: MAX_RULES_MS,
  report: MAX_REPORT_MS,
};

/**
 * Reads reports one at a time in a worker thread, so that a file can neither block the service nor exhaust its memory.
 * A thread that exceeds a limit is terminated. The thread keeps the OCR engine between reports.
 */
export class ReportReader {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly #deadlines: Deadlines;

  constructor(most: Partial<Deadlines> = {}) {
    this.#deadlines = { ...deadlines, ...most };
  }

  /** @throws UnreadableReport; Error if the thread or the service fails for a reason outside the files. */
  read(files: readonly Uint8Array[], options: ReadOptions = {}): Promise<ReaderResult> {
    const reading = this.#last.then(() => this.#readNow(files, options));
    this.#last = reading.catch(() => {});
    return reading;
  }

  async #readNow(files: readonly Uint8Array[], options: ReadOptions): Promise<ReaderResult> {
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#start();
    worker.ref();
    try {
      return await awaitResult(worker, files, options, this.#deadlines);
    } finally {
      worker.unref();
      this.#idle = setTimeout(() => void this.end(), IDLE_TIMEOUT_MS).unref();
    }
  }

  #start(): Worker {
    const worker = new Worker(readerScriptUrl(), { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES } });
    // The reading itself rejects with the error. Without a listener here, an error event would end the process.
    worker.on("error", () => {});
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }

  /** Terminates the thread; the next report starts a new one. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** Sends files to the thread and awaits its outcome, its exit, or a limit. */
function awaitResult(
  worker: Worker,
  files: readonly Uint8Array[],
  { detect, basis }: ReadOptions,
  most: Deadlines,
): Promise<ReaderResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ReaderResult>();
  const start = performance.now();
  let stage = { start, most: most.page };
  const stop = (error: Error) => void worker.terminate().then(() => reject(error));
  let isAsked = false;
  const watch = setInterval(async () => {
    const now = performance.now();
    if (now - stage.start > stage.most || now - start > most.report) stop(tooSlow());
    if (isAsked) return;
    isAsked = true;
    if ((await memoryBytesOf(worker)) > MAX_THREAD_BYTES) stop(tooLarge());
    isAsked = false;
  }, WATCH_INTERVAL_MS);
  const receive = (message: ReaderMessage) => {
    if (message.kind === "image")
      void detect?.(message.png).then((words) => send(worker, { kind: "words", words }), stop);
    else if (message.kind === "page") stage = { start: performance.now(), most: most.page };
    else if (message.kind === "rules") stage = { start: performance.now(), most: most.rules };
    else if (message.kind === "pages") resolve(message);
    else reject(errorOf(message));
  };
  const fail = (error: unknown) => reject(isOutOfMemory(error) ? tooLarge() : error);
  // A terminated thread exits too, and its reading is already rejected with the reason.
  const ended = () => setImmediate(() => reject(new Error("the reader thread has exited")));
  worker.on("message", receive).on("error", fail).on("exit", ended);
  send(worker, { kind: "files", files, isDetected: detect !== undefined, basis });
  return promise.finally(() => {
    clearInterval(watch);
    worker.off("message", receive).off("error", fail).off("exit", ended);
  });
}

const send = (worker: Worker, asked: ReaderRequest) => worker.postMessage(asked);

/** Heap and external memory of the thread, such as decoded images and inflated streams. */
async function memoryBytesOf(worker: Worker): Promise<number> {
  // A thread that has not started or has ended returns no statistics.
  const statistics = await worker.getHeapStatistics().catch(() => undefined);
  return statistics ? statistics.used_heap_size + statistics.external_memory : 0;
}

const tooLarge = () => invalidInput("The report is too large once decompressed.");
const tooSlow = () => new UnreadableReport("processing_error", "The report takes too long to read.");
const isOutOfMemory = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

function errorOf(message: ReaderMessage): Error {
  if (message.kind === "unreadable") return new UnreadableReport(message.reason, message.refusal);
  return new Error(message.kind === "failed" ? `reading a report failed: ${message.message}` : "no pages");
}
