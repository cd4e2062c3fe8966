import { errorSummary } from "./error-summary.ts";
import { Misconfigured } from "./errors.ts";
import { isoNow } from "./ports.ts";

/**
 * Fields of a log line: ids, counts, durations and codes. Never bodies, names or values (they may be personal data).
 */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes structured log lines of one invocation. Every line carries the base fields. */
export class Log {
  readonly #base: LogFields;

  constructor(base: LogFields) {
    this.#base = base;
  }

  info(message: string, fields: LogFields = {}): void {
    this.#write("info", message, fields);
  }

  warn(message: string, fields: LogFields = {}): void {
    this.#write("warn", message, fields);
  }

  /** Logs the name and stack frames of an error. Omits the message unless the error is {@link Misconfigured}. */
  error(message: string, error: unknown, fields: LogFields = {}): void {
    const reason = error instanceof Misconfigured ? { reason: error.message } : {};
    this.#write("error", message, { ...fields, ...errorSummary(error), ...reason });
  }

  #write(level: "info" | "warn" | "error", message: string, fields: LogFields): void {
    console[level](JSON.stringify({ time: isoNow(), level, message, ...this.#base, ...fields }));
  }
}
