import { isDeepStrictEqual } from "node:util";
import type { BatchMessage, SampleBatch } from "../../../../lib/domain/ingest/batch.ts";
import { ingestionBounds } from "../../../../lib/domain/ingest/ingestion-bounds.ts";
import { dayToDate, floatingTimeConverter } from "../../../../lib/domain/shared/local-day.ts";
import { activity } from "../../../../lib/domain/summaries/activity.ts";
import { totalDay } from "../../../../lib/domain/summaries/day-totals.ts";
import {
  type ActivityInput,
  activityInputs,
  deriveDailyActivity,
  movementInputs,
} from "../../../../lib/domain/summaries/derive-daily-activity.ts";
import type { Sample } from "../../../../lib/domain/timeseries/chunk/sample.ts";
import { getResource } from "../../../../lib/domain/timeseries/resources.ts";
import type { ChunkSlice } from "../../../../lib/store/timeseries/chunk-slice.ts";
import { SeededRandom } from "../../support/seeded-random.ts";
import { type DerivedActivityFixture, FALLBACK_TIME_ZONE, NOW_MS } from "./derived-activity-fixture.ts";
import type { SelectRequest } from "./request-interleaving.ts";

/** Instants around midnight at every offset of the samples. */
const STARTS = ["2026-05-01T16:00Z", "2026-05-01T21:30Z", "2026-05-01T22:30Z", "2026-05-02T04:30Z"].map(Date.parse);
const OFFSETS_S = [null, 0, 7_200, -18_000];
const DATES = ["2026-05-01", "2026-05-02"];
const SOURCE = {
  provider: "apple_health_kit",
  source_type: "watch",
  app_id: null,
  stage: "daily",
  is_final: true,
} as const;
/** The devices of batches. Batches of two devices cover the same instants. */
const DEVICES = [null, "left", "right"];
/** Maximum deliveries of a batch. Faults are random, so a batch that needs more has a real defect. */
const MOST_ATTEMPTS = 50;
const floatingOf = floatingTimeConverter(FALLBACK_TIME_ZONE);

/**
 * One run: batches of one source, of up to three recorders, change samples of the same days and contain summaries of some days. They are stored
 * concurrently, fail and are redelivered, all from one seed. At the end each day equals the total of its samples, or
 * the summary that was sent, and an event with its content was recorded.
 */
export class DerivedActivityRace {
  readonly #stage: DerivedActivityFixture;
  readonly #random: SeededRandom;
  readonly #seed: number;
  readonly #userId: string;
  readonly #given = new Map<string, number>();

  constructor(seed: number, stage: DerivedActivityFixture) {
    this.#stage = stage;
    this.#seed = seed;
    this.#random = new SeededRandom(seed);
    this.#userId = `7ea70000-0000-4000-8000-${String(seed).padStart(12, "0")}`;
  }

  /** @returns the broken rules. */
  async run(): Promise<string[]> {
    await this.#stage.createUser(this.#userId);
    const messages: BatchMessage[] = [];
    for (let place = 0; place < 3 + this.#random.integerBelow(2); place++) {
      messages.push(await this.#stage.queue(this.#userId, place, this.#draw(place)));
    }
    // Half of the races start with stored data.
    if (this.#random.isWithinPercent(50)) await this.#stage.deliver(messages[0]!);
    const deliver = (message: BatchMessage) => async () => {
      for (let attempt = 1; !(await this.#stage.deliver(message)); attempt++) {
        if (attempt === MOST_ATTEMPTS) throw new Error(`a batch is never stored: ${this.#stage.log.at(-1)}`);
      }
    };
    const tasks = Object.fromEntries(messages.map((message, place) => [`batch ${place}`, deliver(message)]));
    await this.#stage.interleaving.run(tasks, this.#drawTurns());
    return this.#judge();
  }

  /** Lets one function run far ahead of another. One in three races has faults. */
  #drawTurns(): SelectRequest {
    const [sameAgainPercent, faultPercent] = [this.#random.integerBelow(100), this.#seed % 3 === 0 ? 3 : 0];
    let last = "";
    return (waiting) => {
      const same = waiting.filter(({ task }) => task === last);
      const goesOn = same.length > 0 && this.#random.isWithinPercent(sameAgainPercent);
      const next = this.#random.pick(goesOn ? same : waiting);
      last = next.task;
      if (!this.#random.isWithinPercent(faultPercent)) return { next };
      return { next, fault: this.#random.isWithinPercent(50) ? "request lost" : "answer lost" };
    };
  }

  #draw(place: number): SampleBatch {
    const samples: Record<string, Sample[]> = {};
    for (let count = 1 + this.#random.integerBelow(3); count > 0; count--) {
      const starts = STARTS.filter(() => this.#random.isWithinPercent(35));
      const input = this.#random.isWithinPercent(50) ? "steps" : this.#random.pick(activityInputs);
      if (starts.length > 0) samples[input] = starts.map((start) => this.#sample(start));
    }
    const dates = this.#random.isWithinPercent(20) ? [this.#random.pick(DATES)] : [];
    for (const date of dates) this.#given.set(date, place);
    return {
      ...SOURCE,
      device_id: this.#random.pick(DEVICES),
      samples,
      summaries: { activity: dates.map((date) => given(date, place)) },
      streams: {},
    };
  }

  /** Creates a sample with one of few values, so that sums return to earlier values. */
  #sample(start: number): Sample {
    const value = 50 + this.#random.integerBelow(2);
    return { start, end: start, value, offsetS: this.#random.pick(OFFSETS_S), type: null };
  }

  async #judge(): Promise<string[]> {
    const broken: string[] = [];
    const totals = await this.#totals();
    const records = Map.groupBy(await this.#stage.activities(this.#userId), ({ day }) => day);
    for (const [date, expected] of totals) {
      const ofDay = records.get(date) ?? [];
      const place = this.#given.get(date);
      const record = place === undefined ? ofDay[0] : ofDay.find(({ fields }) => fields.steps === place);
      if (place !== undefined) {
        if (ofDay.some(({ derived }) => derived !== undefined)) broken.push(`${date} was sent and is derived`);
        if (!record) broken.push(`${date} lacks the summary sent last`);
      } else if (ofDay.length > 1) broken.push(`${date} has several derived activities`);
      else if (record && !isDeepStrictEqual(record.fields, expected.fields)) {
        broken.push(`${date} is ${JSON.stringify(record.fields)} instead of ${JSON.stringify(expected.fields)}`);
      } else if (!record && expected.hasMoved) broken.push(`${date} has movement and no summary`);
      const eventData = record && (await this.#stage.readEventData(record));
      if (record && eventData?.steps !== record.fields.steps) broken.push(`${date} has no event with its content`);
    }
    return broken;
  }

  /** The expected activity of each date. */
  async #totals() {
    const days = [...new Set(DATES.map((date) => Date.parse(date) / 86_400_000))];
    const slices = new Map<ActivityInput, ChunkSlice[]>();
    for (const input of activityInputs) slices.set(input, await this.#stage.slices(this.#userId, input));
    return days.map((day) => {
      const totals = new Map(
        [...slices].map(([input, all]) => [input, totalDay(getResource(input), all, day, floatingOf)] as const),
      );
      const hasMoved = [...movementInputs].some((input) => totals.get(input) !== undefined);
      return [dayToDate(day), { fields: deriveDailyActivity(dayToDate(day), totals).fields, hasMoved }] as const;
    });
  }
}

function given(calendar_date: string, steps: number) {
  const accepted = activity.accept(
    { calendar_date, steps },
    { receivedAt: NOW_MS, bounds: ingestionBounds(null, null) },
  );
  if ("reason" in accepted) throw new Error(accepted.reason);
  return accepted.ok;
}
