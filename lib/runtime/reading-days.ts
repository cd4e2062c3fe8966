import { type DayOf, dateOf, dayOfDate, instantsOf, spansOf } from "../domain/local-day.ts";
import { activity } from "../domain/summaries/activity.ts";
import { type DayTotal, DayTotals } from "../domain/summaries/day-totals.ts";
import {
  type ActivityInput,
  activityInputs,
  inputsToRead,
  movementInputs,
  otherInputs,
} from "../domain/summaries/derived-activity.ts";
import { resourceNamed } from "../domain/timeseries/resources.ts";
import type { ChunkStore } from "../store/chunks.ts";
import type { SummaryStore } from "../store/summaries.ts";
import type { SummaryRecord } from "../store/summary-record.ts";
import { inParallel, type StoringContext } from "./storing.ts";

/** Stores, batch and calendar of the user for deriving activity. */
export interface Deriving {
  readonly chunks: ChunkStore;
  readonly summaries: SummaryStore;
  readonly context: StoringContext;
  readonly dayOf: DayOf;
}

/** Changes of the samples of one day. */
export interface DayChange {
  /** Resources with changed samples. */
  readonly inputs: ReadonlySet<ActivityInput>;
  /** Whether a movement sample was on this day and may be on another day now. */
  readonly hadMovement: boolean;
}
export type ChangesByDay = ReadonlyMap<number, DayChange>;
/** Stored activity by day. */
export type RecordsByDay = ReadonlyMap<number, SummaryRecord>;
/** Total of each resource read for one day; undefined for a resource without samples. */
export type TotalsOfDay = ReadonlyMap<ActivityInput, DayTotal | undefined>;

/** Maximum distance of days that one request reads together, gaps included: cheaper than a request per day. */
const DAYS_APART = 7;

/** Reads the stored activity of the batch's source on some days, strongly consistent. */
export async function storedDays({ summaries, context }: Deriving, days: readonly number[]): Promise<RecordsByDay> {
  const { scope, user, batch } = context;
  const found = await inParallel(spansOf(days, DAYS_APART), ({ first, last }) =>
    summaries.list(scope, user.user_id, activity, { from: dateOf(first), to: dateOf(last) }),
  );
  const own = found.flat().filter((one) => one.provider === batch.provider && one.source_type === batch.source_type);
  return new Map(own.map((record) => [dayOfDate(record.day), record]));
}

/**
 * Reads the totals of each day to write. A day with a derived summary needs only the inputs of its changed fields.
 * A day without a summary needs all inputs, and only if it has movement. A day that lost its movement before it had a
 * summary is read too: a concurrent batch may be about to write totals that it read earlier.
 */
export async function totalsOfDays(
  on: Deriving,
  changed: ChangesByDay,
  stored: RecordsByDay,
): Promise<ReadonlyMap<number, TotalsOfDay>> {
  const first = [...changed].map(([day, { inputs }]) => {
    return [day, stored.has(day) ? inputsToRead(inputs) : movementInputs] as const;
  });
  const totals = await readTotals(on, new Map(first));
  const isMoved = (day: number) => [...totals.of(day).values()].some((total) => total !== undefined);
  const begun = [...changed].filter(([day, { hadMovement }]) => !stored.has(day) && (hadMovement || isMoved(day)));
  const others = await readTotals(on, new Map(begun.map(([day]) => [day, otherInputs])));
  const written = [...changed.keys()].filter((day) => stored.has(day) || others.of(day).size > 0);
  return new Map(written.map((day) => [day, new Map([...totals.of(day), ...others.of(day)])]));
}

async function readTotals(
  on: Deriving,
  wanted: ReadonlyMap<number, ReadonlySet<ActivityInput>>,
): Promise<DayTotals<ActivityInput>> {
  const totals = new DayTotals(wanted);
  const reads = activityInputs.flatMap((input) => {
    const days = [...wanted].filter(([, inputs]) => inputs.has(input)).map(([day]) => day);
    return spansOf(days, DAYS_APART).map(({ first, last }) => ({ input, range: instantsOf(first, last) }));
  });
  const { chunks, context, dayOf } = on;
  const { scope, user, batch } = context;
  const source = { provider: batch.provider, sourceType: batch.source_type };
  await inParallel(reads, async ({ input, range }) => {
    const query = { range, source, isConsistent: true };
    for await (const { columns, from, to } of chunks.read(scope, user.user_id, resourceNamed(input), query)) {
      const { starts, offsetsS, values } = columns;
      for (let index = from; index < to; index++) {
        const [start = NaN, offsetS = NaN, value = NaN] = [starts[index], offsetsS[index], values.numbers[index]];
        totals.add(input, dayOf(start, offsetS), value);
      }
    }
  });
  return totals;
}
