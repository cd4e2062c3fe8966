import { localDate } from "../../../domain/summaries/session.ts";
import { BAD_DATE, BAD_VALUE, type MappingOutcome, type OutgoingRecord, UNKNOWN_UNIT } from "../mapping-outcome.ts";
import { parseNumber } from "../reading/parse-number.ts";
import type { Element } from "./element.ts";
import { readInterval } from "./export-date.ts";
import { mergedSource } from "./record-source.ts";
import { convertUnit } from "./unit-conversion.ts";

const PART_OF_ACTIVITY = { leftOut: "part of the day's activity" } as const;

/**
 * Collects the activity summary and the latest resting heart rate of each day. They become one record, because two
 * records of a day in different requests would depend on the order of the requests.
 */
export class DayActivities {
  readonly #calories = new Map<string, number>();
  readonly #resting = new Map<string, { readonly bpm: number; readonly ms: number }>();

  /** Adds a record of the resting heart rate. */
  addRestingHeartRate(record: Element): MappingOutcome {
    const span = readInterval(record);
    if (!span) return BAD_DATE;
    const given = parseNumber(record.attributes.value);
    if (given === undefined) return BAD_VALUE;
    const bpm = convertUnit(given, record.attributes.unit ?? "", "bpm");
    if (bpm === undefined) return UNKNOWN_UNIT;
    const day = localDate(span.start.ms, span.offsetS);
    const known = this.#resting.get(day);
    if (!known || span.start.ms >= known.ms) this.#resting.set(day, { bpm, ms: span.start.ms });
    return PART_OF_ACTIVITY;
  }

  /**
   * Adds an `<ActivitySummary>`, the rings of one day. Days without energy are placeholders, such as the day in 1969
   * that many exports start with.
   */
  addSummary({ attributes }: Element): MappingOutcome {
    const { dateComponents: day, activeEnergyBurnedUnit: unit = "" } = attributes;
    const energy = parseNumber(attributes.activeEnergyBurned);
    if (!day || !energy) return { leftOut: "activity summary without energy" };
    const calories = convertUnit(energy, unit, "kcal");
    if (calories === undefined) return UNKNOWN_UNIT;
    if (!this.#calories.has(day)) this.#calories.set(day, calories);
    return PART_OF_ACTIVITY;
  }

  /** The activity of each day. Apple merges phone and watch in it. */
  *summaries(): Generator<OutgoingRecord> {
    for (const day of new Set([...this.#calories.keys(), ...this.#resting.keys()])) {
      const [calories, resting] = [this.#calories.get(day), this.#resting.get(day)];
      const content = {
        calendar_date: day,
        ...(calories === undefined ? {} : { calories_active: calories }),
        ...(resting === undefined ? {} : { heart_rate: { resting_bpm: resting.bpm } }),
      };
      yield { resource: "activity", source: mergedSource, key: day, content };
    }
  }
}
