import { DayActivities } from "./day-activities.ts";
import type { Element } from "./element.ts";
import { isInCorrelation, mapCorrelation } from "./map-correlation.ts";
import { mapRecord } from "./map-record.ts";
import { mapWorkout } from "./map-workout.ts";
import type { MappingOutcome, OutgoingRecord } from "./mapping-outcome.ts";
import { ProfileBuilder } from "./profile-builder.ts";
import { SleepPeriods } from "./sleep-periods.ts";
import { mapSleepStage } from "./sleep-stage.ts";

/** Maps the elements of one export to records, and derives summaries from all of them at the end. */
export class ExportMapper {
  readonly #sleep = new SleepPeriods();
  readonly #person = new ProfileBuilder();
  readonly #days = new DayActivities();

  /** Maps an element; undefined for an element without health data. */
  map(element: Element): MappingOutcome | undefined {
    switch (element.name) {
      case "Record":
        return this.#mapRecord(element);
      case "Correlation":
        return mapCorrelation(element);
      case "Workout":
        return mapWorkout(element);
      case "ActivitySummary":
        return this.#days.addSummary(element);
      case "Me":
        return this.#person.addMe(element);
      case "ExportDate":
        return undefined;
      case "ClinicalRecord":
        return { leftOut: "clinical record" };
      default:
        return { leftOut: `unmapped element ${element.name}` };
    }
  }

  /** Summaries derived from several elements: sleep periods, days, and the profile. */
  *derived(): Generator<OutgoingRecord> {
    yield* this.#sleep.summaries();
    yield* this.#days.summaries();
    yield* this.#person.profile();
  }

  #mapRecord(record: Element): MappingOutcome {
    if (record.attributes.type === "HKQuantityTypeIdentifierHeight") return this.#person.addHeight(record);
    if (record.attributes.type === "HKQuantityTypeIdentifierRestingHeartRate")
      return this.#days.addRestingHeartRate(record);
    if (isInCorrelation(record)) return { leftOut: "duplicate in correlation" };
    if (record.attributes.type !== "HKCategoryTypeIdentifierSleepAnalysis") return mapRecord(record);
    this.#sleep.add(record);
    return mapSleepStage(record);
  }
}
