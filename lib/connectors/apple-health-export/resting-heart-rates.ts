import { localDate } from "../../domain/summaries/session.ts";
import type { Element } from "./element.ts";
import { readInterval } from "./export-date.ts";
import { BAD_DATE, BAD_VALUE, type MappingOutcome, type OutgoingRecord, UNKNOWN_UNIT } from "./mapping-outcome.ts";
import { convertUnit, parseNumber } from "./unit-conversion.ts";

type ActivityRecord = OutgoingRecord & { readonly content: { readonly calendar_date: string } };

/** Collects the latest resting heart rate of each day for the day's activity summary. */
export class RestingHeartRates {
  readonly #byDay = new Map<string, { readonly bpm: number; readonly ms: number }>();
  /** Summaries that were sent without a resting heart rate, by day. */
  readonly #sent = new Map<string, ActivityRecord>();

  add(record: Element): MappingOutcome {
    const span = readInterval(record);
    if (!span) return BAD_DATE;
    const given = parseNumber(record.attributes.value);
    if (given === undefined) return BAD_VALUE;
    const bpm = convertUnit(given, record.attributes.unit ?? "", "bpm");
    if (bpm === undefined) return UNKNOWN_UNIT;
    const day = localDate(span.start.ms, span.offsetS);
    const known = this.#byDay.get(day);
    if (!known || span.start.ms >= known.ms) this.#byDay.set(day, { bpm, ms: span.start.ms });
    return { leftOut: "part of the day's activity" };
  }

  /** Adds the resting heart rate of the day to an activity, if it is known already. */
  addToActivity(outcome: MappingOutcome): MappingOutcome {
    if ("leftOut" in outcome) return outcome;
    const activity = outcome.send as ActivityRecord;
    const day = activity.content.calendar_date;
    const known = this.#byDay.get(day);
    if (!known) this.#sent.set(day, activity);
    this.#byDay.delete(day);
    return { send: known ? addRestingHeartRate(activity, known.bpm) : activity };
  }

  /** Activities of days without a summary, or with a summary that came before the heart rate. */
  *summaries(): Generator<OutgoingRecord> {
    for (const [day, { bpm }] of this.#byDay) {
      const alone = { resource: "activity", sourceType: "multiple_sources", key: day } as const;
      yield addRestingHeartRate(this.#sent.get(day) ?? { ...alone, content: { calendar_date: day } }, bpm);
    }
  }
}

const addRestingHeartRate = (activity: OutgoingRecord, resting_bpm: number): OutgoingRecord => ({
  ...activity,
  content: { ...activity.content, heart_rate: { resting_bpm } },
});
