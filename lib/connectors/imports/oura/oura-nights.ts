import { toSamples, toSleep, toSleepCycle, toSleepStream } from "../../oura/map-sleep.ts";
import type { DailyReadiness, SleepPeriod } from "../../oura/replies.ts";
import { toOutcomes } from "../batch-outcomes.ts";
import type { MappingOutcome, OutgoingRecord } from "../mapping-outcome.ts";

const PART_OF_NIGHT = { leftOut: "part of a night" } as const;

/** Joins sleep periods with the scores of their days, which the export has in files of their own. About 3 KB a night. */
export class OuraNights {
  readonly #scores = new Map<string, number | null | undefined>();
  readonly #readiness = new Map<string, DailyReadiness>();
  readonly #periods: SleepPeriod[] = [];

  addScore({ day, score }: { readonly day: string; readonly score?: number | null | undefined }): MappingOutcome {
    this.#scores.set(day, score);
    return PART_OF_NIGHT;
  }

  addReadiness(readiness: DailyReadiness): MappingOutcome {
    this.#readiness.set(readiness.day, readiness);
    return PART_OF_NIGHT;
  }

  addPeriod(period: SleepPeriod): MappingOutcome {
    this.#periods.push(period);
    return PART_OF_NIGHT;
  }

  /** The nights, in the form in which the connector maps them. */
  *derived(): Generator<OutgoingRecord> {
    for (const period of this.#periods) {
      const day = { score: this.#scores.get(period.day), readiness: this.#readiness.get(period.day) };
      const resources = {
        sleep: [toSleep(period, day)],
        sleep_cycle: period.sleep_phase_5_min ? [toSleepCycle(period)] : [],
        sleep_stream: toSleepStream(period),
        hrv: toSamples(period.hrv),
      };
      for (const outcome of toOutcomes([{ source_type: "ring", resources }])) if ("send" in outcome) yield outcome.send;
    }
  }
}
