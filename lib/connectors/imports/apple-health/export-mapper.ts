import type { MappingOutcome, OutgoingRecord } from "../mapping-outcome.ts";
import { DayActivities, isDayHeartRate } from "./day-activities.ts";
import type { Element } from "./element.ts";
import { isInCorrelation, mapCorrelation } from "./map-correlation.ts";
import { mapRecord } from "./map-record.ts";
import type { RoutedWorkout } from "./map-route.ts";
import { mapWorkout } from "./map-workout.ts";
import { isNutrient, Meals } from "./meals.ts";
import { isCycleRecord, MenstrualCycles } from "./menstrual-cycles.ts";
import { ProfileBuilder } from "./profile-builder.ts";
import { SleepPeriods } from "./sleep-periods.ts";
import { mapSleepStage } from "./sleep-stage.ts";

/** Maps the elements of one export to records, and derives summaries from all of them at the end. */
export class ExportMapper {
  readonly #sleep = new SleepPeriods();
  readonly #person = new ProfileBuilder();
  readonly #days = new DayActivities();
  readonly #cycles = new MenstrualCycles();
  readonly #meals = new Meals();
  readonly #routes = new Map<string, RoutedWorkout>();

  /** Maps an element; undefined for an element without health data. */
  map(element: Element): MappingOutcome | undefined {
    switch (element.name) {
      case "Record":
        return this.#mapRecord(element);
      case "Correlation":
        return mapCorrelation(element);
      case "Workout":
        return this.#mapWorkout(element);
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

  /** Summaries derived from several elements: sleep periods, days, cycles, meals and the profile. */
  *derived(): Generator<OutgoingRecord> {
    yield* this.#sleep.summaries();
    yield* this.#days.summaries();
    yield* this.#cycles.summaries();
    yield* this.#meals.summaries();
    yield* this.#person.profile();
  }

  /** Finds the workout that names a route file, by the path of the file in the zip. */
  workoutOfRoute(path: string): RoutedWorkout | undefined {
    return this.#routes.get(routeName(path));
  }

  #mapWorkout(element: Element): MappingOutcome {
    const outcome = mapWorkout(element);
    if ("leftOut" in outcome) return outcome;
    const { source, content } = outcome.send;
    const routes = element.children.filter(({ name }) => name === "WorkoutRoute").flatMap(({ children }) => children);
    for (const { name, attributes } of routes) {
      if (name === "FileReference")
        this.#routes.set(routeName(attributes.path ?? ""), { provider_id: String(content.provider_id), source });
    }
    return outcome;
  }

  #mapRecord(record: Element): MappingOutcome {
    if (record.attributes.type === "HKQuantityTypeIdentifierHeight") return this.#person.addHeight(record);
    if (isDayHeartRate(record)) return this.#days.addHeartRate(record);
    if (isCycleRecord(record)) return this.#cycles.add(record);
    if (isNutrient(record)) return this.#meals.add(record);
    if (isInCorrelation(record)) return { leftOut: "duplicate in correlation" };
    if (record.attributes.type !== "HKCategoryTypeIdentifierSleepAnalysis") return mapRecord(record);
    this.#sleep.add(record);
    return mapSleepStage(record);
  }
}

/** The name of a route file. Folder names depend on the language. */
const routeName = (path: string): string => path.split("/").at(-1) ?? "";
