import { dateToDay, dayToDate, groupDays, instantsOfDays, type ToLocalDay } from "../../domain/shared/local-day.ts";
import { activity } from "../../domain/summaries/activity.ts";
import { type DayTotal, DayTotals } from "../../domain/summaries/day-totals.ts";
import {
  type ActivityInput,
  activityInputs,
  additionalInputs,
  inputsToRead,
  movementInputs,
} from "../../domain/summaries/derive-daily-activity.ts";
import { getResource } from "../../domain/timeseries/resources.ts";
import { inParallel } from "../../runtime/in-parallel.ts";
import type { SummaryStore } from "../../store/summaries/summaries.ts";
import type { SummaryRecord } from "../../store/summaries/summary-record.ts";
import type { ChunkStore } from "../../store/timeseries/chunks.ts";
import type { BatchContext } from "./store-samples.ts";

/** Stores, batch and calendar of the user for deriving activity. */
export interface DerivationContext {
  readonly chunks: ChunkStore;
  readonly summaries: SummaryStore;
  readonly context: BatchContext;
  readonly dayOf: ToLocalDay;
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
export type InputTotals = ReadonlyMap<ActivityInput, DayTotal | undefined>;

/** Maximum distance of days that one request reads together, gaps included: cheaper than a request per day. */
const MAX_GAP_DAYS = 7;

/** Reads the stored activity of the batch's source on some days, strongly consistent. */
export async function readStoredActivity(
  { summaries, context }: DerivationContext,
  days: readonly number[],
): Promise<RecordsByDay> {
  const { scope, user, batch } = context;
  const found = await inParallel(groupDays(days, MAX_GAP_DAYS), ({ first, last }) =>
    summaries.list(scope, user.user_id, activity, { from: dayToDate(first), to: dayToDate(last) }),
  );
  const own = found.flat().filter((one) => one.provider === batch.provider && one.source_type === batch.source_type);
  return new Map(own.map((record) => [dateToDay(record.day), record]));
}

/**
 * Reads the totals of each day to write. A day with a derived summary needs only the inputs of its changed fields.
 * A day without a summary needs all inputs, and only if it has movement. A day that lost its movement before it had a
 * summary is read too: a concurrent batch may be about to write totals that it read earlier.
 */
export async function readDayTotals(
  on: DerivationContext,
  changed: ChangesByDay,
  stored: RecordsByDay,
): Promise<ReadonlyMap<number, InputTotals>> {
  const first = [...changed].map(([day, { inputs }]) => {
    return [day, stored.has(day) ? inputsToRead(inputs) : movementInputs] as const;
  });
  const totals = await readTotals(on, new Map(first));
  const isMoved = (day: number) => [...totals.get(day).values()].some((total) => total !== undefined);
  const begun = [...changed].filter(([day, { hadMovement }]) => !stored.has(day) && (hadMovement || isMoved(day)));
  const others = await readTotals(on, new Map(begun.map(([day]) => [day, additionalInputs])));
  const written = [...changed.keys()].filter((day) => stored.has(day) || others.get(day).size > 0);
  return new Map(written.map((day) => [day, new Map([...totals.get(day), ...others.get(day)])]));
}

async function readTotals(
  on: DerivationContext,
  wanted: ReadonlyMap<number, ReadonlySet<ActivityInput>>,
): Promise<DayTotals<ActivityInput>> {
  const totals = new DayTotals(wanted);
  const reads = activityInputs.flatMap((input) => {
    const days = [...wanted].filter(([, inputs]) => inputs.has(input)).map(([day]) => day);
    return groupDays(days, MAX_GAP_DAYS).map(({ first, last }) => ({ input, range: instantsOfDays(first, last) }));
  });
  const { chunks, context, dayOf } = on;
  const { scope, user, batch } = context;
  const source = { provider: batch.provider, sourceType: batch.source_type };
  await inParallel(reads, async ({ input, range }) => {
    const query = { range, source, isConsistent: true };
    for await (const { columns, from, to } of chunks.read(scope, user.user_id, getResource(input), query)) {
      const { starts, offsetsS, values } = columns;
      for (let index = from; index < to; index++) {
        const [start = NaN, offsetS = NaN, value = NaN] = [starts[index], offsetsS[index], values.numbers[index]];
        totals.add(input, dayOf(start, offsetS), value);
      }
    }
  });
  return totals;
}
