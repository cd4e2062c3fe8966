import type { PulledBatch } from "../../connector.ts";
import { toNight } from "../../google-health/map.ts";
import { BAD_DATE, type MappingOutcome } from "../mapping-outcome.ts";
import type { CsvRow } from "../reading/csv-rows.ts";
import { parseNumber } from "../reading/parse-number.ts";

type Stage = Parameters<typeof toNight>[1]["stages"][number];

const PART_OF_NIGHT = { leftOut: "part of a night" } as const;

/** Seconds of an offset such as `+05:30`; null for anything else. */
function offsetOf(text: string | undefined): number | null {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(text ?? "") ?? [];
  return sign === undefined ? null : (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
}

/** Joins the nights of Google's CSV files with their stages, by the columns of public readers. About 1 KB a night. */
export class FitbitNights {
  readonly #coveredDates = new Set<string>();
  readonly #sleeps = new Map<string, CsvRow>();
  readonly #stages = new Map<string, Stage[]>();

  /** Notes a night of a JSON file. @param date the local date of its end. */
  cover(date: string): void {
    this.#coveredDates.add(date);
  }

  addSleep(row: CsvRow): MappingOutcome {
    const { sleep_id: id, sleep_start: start, sleep_end: end } = row;
    if (!id || Number.isNaN(Date.parse(start ?? "")) || Number.isNaN(Date.parse(end ?? ""))) return BAD_DATE;
    this.#sleeps.set(id, row);
    return PART_OF_NIGHT;
  }

  addStage({ sleep_id: id, sleep_stage_type: type, sleep_stage_start, sleep_stage_end }: CsvRow): MappingOutcome {
    if (!id || !type || !sleep_stage_start || !sleep_stage_end) return BAD_DATE;
    const stages = this.#stages.get(id) ?? [];
    this.#stages.set(id, stages);
    stages.push({ startTime: sleep_stage_start, endTime: sleep_stage_end, type });
    return PART_OF_NIGHT;
  }

  /** The nights that no JSON file covers. */
  *batches(): Generator<PulledBatch> {
    for (const [id, row] of this.#sleeps) {
      const [startTime = "", endTime = ""] = [row.sleep_start, row.sleep_end];
      const [startUtcOffset, endUtcOffset] = [offsetOf(row.start_utc_offset), offsetOf(row.end_utc_offset)];
      const number = (name: string) => parseNumber(row[name]) ?? null;
      const night = toNight(id, {
        interval: { startTime, startUtcOffset, endTime, endUtcOffset },
        stages: this.#stages.get(id) ?? [],
        summary: {
          minutesToFallAsleep: number("minutes_to_fall_asleep"),
          minutesAsleep: number("minutes_asleep"),
          minutesAwake: number("minutes_awake"),
        },
      });
      if (!this.#coveredDates.has(String(night.sleep[0]?.calendar_date)))
        yield { source_type: "watch", resources: night };
    }
  }
}
