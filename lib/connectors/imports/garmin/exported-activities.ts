import type { MappingOutcome } from "../mapping-outcome.ts";
import { toActivitySummary } from "./map-export-json.ts";

/** A summary of an activity, in the form of Garmin's API. */
export type ActivitySummary = NonNullable<ReturnType<typeof toActivitySummary>>;

/**
 * The activities of an export by their start. The JSON file has their ids and names, the FIT files have their content.
 * An activity without a FIT file, such as one that was typed in, is imported from the JSON file.
 */
export class ExportedActivities {
  readonly #byStart = new Map<number, ActivitySummary>();
  readonly #withFile = new Set<number>();

  /** Keeps an activity of the JSON file. */
  add(record: unknown): MappingOutcome {
    const summary = toActivitySummary(record);
    if (!summary) return { leftOut: "record without values" };
    this.#byStart.set(summary.startTimeInSeconds, summary);
    return { leftOut: "part of an activity" };
  }

  /** Returns the activity of a FIT file. @param start Unix seconds. */
  takeByStart(start: number): ActivitySummary | undefined {
    this.#withFile.add(start);
    return this.#byStart.get(start);
  }

  /** The activities of which no FIT file was read. */
  *withoutFile(): Generator<ActivitySummary> {
    for (const [start, summary] of this.#byStart) if (!this.#withFile.has(start)) yield summary;
  }
}
