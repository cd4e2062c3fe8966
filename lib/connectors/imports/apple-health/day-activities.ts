import { localDate } from "../../../domain/summaries/session.ts";
import { BAD_DATE, BAD_VALUE, type MappingOutcome, type OutgoingRecord, UNKNOWN_UNIT } from "../mapping-outcome.ts";
import { parseNumber } from "../reading/parse-number.ts";
import type { Element } from "./element.ts";
import { readInterval } from "./export-date.ts";
import { mergedSource } from "./record-source.ts";
import { convertUnit } from "./unit-conversion.ts";

const PART_OF_ACTIVITY = { leftOut: "part of the day's activity" } as const;

/** Heart rates of a day, by the type of their records. */
const heartRates: Readonly<Record<string, string>> = {
  HKQuantityTypeIdentifierRestingHeartRate: "resting_bpm",
  HKQuantityTypeIdentifierWalkingHeartRateAverage: "avg_walking_bpm",
};

/** Whether a record is the heart rate of a day. */
export const isDayHeartRate = ({ attributes }: Element): boolean => (attributes.type ?? "") in heartRates;

/**
 * Collects the activity summary and the latest resting and walking heart rate of each day. They become one record, because two
 * records of a day in different requests would depend on the order of the requests.
 */
export class DayActivities {
  readonly #calories = new Map<string, number>();
  readonly #rates = new Map<string, Record<string, { readonly bpm: number; readonly ms: number }>>();

  /** Adds the heart rate of a day, see {@link isDayHeartRate}. */
  addHeartRate(record: Element): MappingOutcome {
    const span = readInterval(record);
    if (!span) return BAD_DATE;
    const given = parseNumber(record.attributes.value);
    if (given === undefined) return BAD_VALUE;
    const bpm = convertUnit(given, record.attributes.unit ?? "", "bpm");
    if (bpm === undefined) return UNKNOWN_UNIT;
    const day = localDate(span.start.ms, span.offsetS);
    const field = heartRates[record.attributes.type ?? ""] ?? "";
    const rates = this.#rates.get(day) ?? {};
    this.#rates.set(day, rates);
    if (span.start.ms >= (rates[field]?.ms ?? Number.NEGATIVE_INFINITY)) rates[field] = { bpm, ms: span.start.ms };
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
    for (const day of new Set([...this.#calories.keys(), ...this.#rates.keys()])) {
      const [calories, rates] = [this.#calories.get(day), Object.entries(this.#rates.get(day) ?? {})];
      const content = {
        calendar_date: day,
        ...(calories === undefined ? {} : { calories_active: calories }),
        ...(rates.length === 0 ? {} : { heart_rate: Object.fromEntries(rates.map(([name, { bpm }]) => [name, bpm])) }),
      };
      yield { resource: "activity", source: mergedSource, key: day, content };
    }
  }
}
