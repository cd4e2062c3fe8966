import { driftName, findSchemaDrift, type SchemaDrift } from "../../../connectors/schema-drift.ts";
import type { ReportedField } from "../../../connectors/tolerant-reader.ts";
import type { Log } from "../../../runtime/log.ts";

/** Metric of fields that differ from the documents of a provider. lib/stacks/operations-stack.ts defines its alarm. */
const SCHEMA_DRIFT_METRIC = "provider.schema_drift";

/** Maximum number of distinct names that one invocation counts, so that no provider creates metrics without end. */
const MAX_NAMES = 20;

/** Names that an invocation counted already. An invocation has one log. */
const countedNames = new WeakMap<Log, Set<string>>();

/** Counts fields of a provider that are missing, new or of another type: each name once an invocation, never a value. */
export class SchemaDriftReporter {
  readonly #log: Log;
  readonly #provider: string;

  constructor(log: Log, provider: string) {
    this.#log = log;
    this.#provider = provider;
  }

  /** Counts the fields that the connector dropped. */
  reportDropped(dropped: readonly ReportedField[]): void {
    this.report(
      dropped.map(({ field, missing }) =>
        missing === undefined ? { field, kind: "type" as const } : { field: missing, kind: "missing" as const },
      ),
    );
  }

  /** Compares a response with the documents. @param place the path of its URL, or `push`. */
  inspect(payload: unknown, place: string): void {
    this.report(findSchemaDrift(this.#provider, place, payload));
  }

  report(drift: readonly SchemaDrift[]): void {
    const counted = countedNames.get(this.#log) ?? new Set();
    countedNames.set(this.#log, counted);
    const named = drift.map(({ field, kind }) => ({ field: driftName(field), kind }));
    for (const [name, all] of Map.groupBy(named, ({ field, kind }) => `${this.#provider} ${kind} ${field}`)) {
      if (counted.has(name) || counted.size >= MAX_NAMES) continue;
      counted.add(name);
      const { field, kind } = all[0]!;
      const dimensions = { provider: this.#provider, field };
      // A new member loses no data, so it counts without raising the alarm.
      const total = kind === "new" ? [] : [{ service: "connectors" }];
      this.#log.metric(SCHEMA_DRIFT_METRIC, all.length, [dimensions, ...total], { kind });
    }
  }
}
