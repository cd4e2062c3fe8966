/** Options of a progress display. */
export interface ProgressOptions {
  /** Name of the activity, in a word or two. */
  readonly label: string;
  /** The final count, if known. */
  readonly total?: number;
  /** `bytes` are shown as MB. Any other unit, such as `receipts`, is shown as a count. */
  readonly unit: string;
}

/** The output stream. Standard error by default. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const BAR_WIDTH = 24;
const TERMINAL_PAUSE_MS = 100;
const PLAIN_PAUSE_MS = 5_000;
const CLEAR_TO_END_OF_LINE = "\u001b[K";

/**
 * Shows the progress of a long command: a redrawn bar on a terminal, else a plain line every few seconds.
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

  /** Updates the display. Cheap enough to call for every item. @param note text at the end of the line. */
  update(current: number, note = ""): void {
    const now = this.#now();
    if (now - this.#writtenAt < (this.#stream.isTTY ? TERMINAL_PAUSE_MS : PLAIN_PAUSE_MS)) return;
    this.#writtenAt = now;
    const line = this.#line(current, note);
    this.#stream.write(this.#stream.isTTY ? `\r${line}${CLEAR_TO_END_OF_LINE}` : `${line}\n`);
  }

  /** Ends the display with a final line. */
  done(text: string): void {
    this.#stream.write(this.#stream.isTTY ? `\r${text}${CLEAR_TO_END_OF_LINE}\n` : `${text}\n`);
  }

  #line(current: number, note: string): string {
    const { label, total, unit } = this.#options;
    if (!total) return [label, formatAmount(current, unit), note].filter(Boolean).join("  ");
    const part = Math.min(1, current / total);
    const parts = [
      label,
      `${Math.floor(part * 100)} %`,
      `${formatAmount(current, unit)} of ${formatAmount(total, unit)}`,
    ];
    if (this.#stream.isTTY) parts.splice(1, 0, formatBar(part));
    if (current > 0) parts.push(`${formatDuration((this.elapsedMs * (1 - part)) / part)} left`);
    return [...parts, note].filter(Boolean).join("  ");
  }
}

function formatBar(part: number): string {
  const filled = Math.round(part * BAR_WIDTH);
  return "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
}

function formatAmount(count: number, unit: string): string {
  return unit === "bytes" ? `${(count / 1e6).toFixed(1)} MB` : `${count.toLocaleString("en")} ${unit}`;
}

function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
