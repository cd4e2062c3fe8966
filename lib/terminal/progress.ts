/** What to show. */
export interface ProgressOptions {
  /** What is going on, in a word or two. */
  readonly label: string;
  /** Where it ends, when that is known from the start. */
  readonly total?: number;
  /** `bytes` are written as MB, anything else is counted: `receipts`. */
  readonly unit: string;
}

/** Where progress is written; standard error unless a test gives something else. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const BAR_WIDTH = 24;
const TERMINAL_PAUSE_MS = 100;
const PLAIN_PAUSE_MS = 5_000;
const CLEAR_TO_END_OF_LINE = "\u001b[K";

/**
 * Progress of a long command: a line with a bar that is redrawn on a terminal, elsewhere a plain line every few seconds.
 * @example
 * const progress = new Progress({ label: "Reading", total: file.size, unit: "bytes" });
 * progress.update(bytesRead, "21,000 records/s");
 * progress.done("Read 1,200,000 records.");
 */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #stream: ProgressStream;
  readonly #now: () => number;
  readonly #startedAt: number;
  #writtenAt: number;

  constructor(options: ProgressOptions, stream: ProgressStream = process.stderr, now: () => number = Date.now) {
    this.#options = options;
    this.#stream = stream;
    this.#now = now;
    this.#startedAt = now();
    this.#writtenAt = this.#startedAt;
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return this.#now() - this.#startedAt;
  }

  /** Tells that `current` of the total is reached; cheap enough to be called for every item. @param note goes last. */
  update(current: number, note = ""): void {
    const now = this.#now();
    if (now - this.#writtenAt < (this.#stream.isTTY ? TERMINAL_PAUSE_MS : PLAIN_PAUSE_MS)) return;
    this.#writtenAt = now;
    const line = this.#line(current, note);
    this.#stream.write(this.#stream.isTTY ? `\r${line}${CLEAR_TO_END_OF_LINE}` : `${line}\n`);
  }

  /** Ends it with a line of its own. */
  done(text: string): void {
    this.#stream.write(this.#stream.isTTY ? `\r${text}${CLEAR_TO_END_OF_LINE}\n` : `${text}\n`);
  }

  #line(current: number, note: string): string {
    const { label, total, unit } = this.#options;
    if (!total) return [label, amount(current, unit), note].filter(Boolean).join("  ");
    const part = Math.min(1, current / total);
    const parts = [label, `${Math.floor(part * 100)} %`, `${amount(current, unit)} of ${amount(total, unit)}`];
    if (this.#stream.isTTY) parts.splice(1, 0, bar(part));
    if (current > 0) parts.push(`${duration((this.elapsedMs * (1 - part)) / part)} left`);
    return [...parts, note].filter(Boolean).join("  ");
  }
}

function bar(part: number): string {
  const filled = Math.round(part * BAR_WIDTH);
  return "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
}

function amount(count: number, unit: string): string {
  return unit === "bytes" ? `${(count / 1e6).toFixed(1)} MB` : `${count.toLocaleString("en")} ${unit}`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
