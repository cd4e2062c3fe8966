import { errorSummary } from "./error-summary.ts";
import { Misconfigured } from "./errors.ts";
import { isoNow, ports } from "./ports.ts";

/**
 * Fields of a log line: ids, counts, durations and codes. Never bodies, names or values (they may be personal data).
 */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** The namespace of a deployment's metrics: its name, with which the names of its log groups begin. */
const metricNamespace = (logGroup = "/local/"): string => logGroup.split("/")[1] || "local";

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

  /** Counts one metric. See {@link metrics}. */
  metric(name: string, value: number, dimensions: readonly Readonly<Record<string, string>>[], fields: LogFields = {}) {
    this.metrics({ [name]: value }, dimensions, fields);
  }

  /**
   * Counts metrics by a line in the CloudWatch embedded metric format, which CloudWatch turns into metrics.
   * @param values counts by the names of the metrics.
   * @param dimensions sets of dimensions; the values count under each of them.
   */
  metrics(
    values: Readonly<Record<string, number>>,
    dimensions: readonly Readonly<Record<string, string>>[],
    fields: LogFields = {},
  ) {
    const CloudWatchMetrics = [
      {
        Namespace: metricNamespace(process.env.AWS_LAMBDA_LOG_GROUP_NAME),
        Dimensions: dimensions.map((set) => Object.keys(set)),
        Metrics: Object.keys(values).map((Name) => ({ Name, Unit: "Count" })),
      },
    ];
    const all: Record<string, string> = Object.assign({}, ...dimensions);
    const _aws = { Timestamp: ports().clock.now(), CloudWatchMetrics };
    console.info(JSON.stringify({ time: isoNow(), level: "info", ...this.#base, ...fields, ...all, ...values, _aws }));
  }

  #write(level: "info" | "warn" | "error", message: string, fields: LogFields): void {
    console[level](JSON.stringify({ time: isoNow(), level, message, ...this.#base, ...fields }));
  }
}
