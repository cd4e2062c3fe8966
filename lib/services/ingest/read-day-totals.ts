import { isDeepStrictEqual } from "node:util";
import { dateToDay, dayToDate, groupDays, instantsOfDays, type ToFloatingTime } from "../../domain/shared/local-day.ts";
import { activity } from "../../domain/summaries/activity.ts";
import { type DayTotal, slicesOfDays, totalDay } from "../../domain/summaries/day-totals.ts";
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
  readonly floatingOf: ToFloatingTime;
}

/** Changes of the samples of one day. */
export interface DayChange {
  /** Resources with changed samples. */
  readonly inputs: ReadonlySet<ActivityInput>;
  /** Whether a movement sample was on this day and may be on another day now. */
  readonly hadMovement: boolean;
  /** Whether the summary that this batch created lacks samples of a concurrent batch. */
  readonly isMissed?: boolean;
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
 *
 * A day without a summary whose movement this batch did not change is not read. Its heart rate and basal energy count
 * once a batch with movement creates the summary: that batch reads them again after it created the summary
 * ({@link findMissedTotals}), and this batch stored them before it found no summary.
 */
export async function readDayTotals(
  on: DerivationContext,
  changed: ChangesByDay,
  stored: RecordsByDay,
): Promise<ReadonlyMap<number, InputTotals>> {
  const first = [...changed].flatMap(([day, change]) => {
    if (stored.has(day)) return [[day, inputsToRead(change.inputs)] as const];
    return changesMovement(change) ? [[day, movementInputs] as const] : [];
  });
  const totals = await readTotals(on, new Map(first));
  const isMoved = (ofDay: InputTotals) => [...ofDay.values()].some((total) => total !== undefined);
  const begun = [...totals].filter(([day, ofDay]) => {
    return !stored.has(day) && (changed.get(day)?.hadMovement === true || isMoved(ofDay));
  });
  const others = await readTotals(on, new Map(begun.map(([day]) => [day, additionalInputs])));
  const written = [...totals].filter(([day]) => stored.has(day) || others.has(day));
  return new Map(written.map(([day, ofDay]) => [day, new Map([...ofDay, ...(others.get(day) ?? [])])]));
}

const changesMovement = ({ inputs, hadMovement }: DayChange) =>
  hadMovement || [...inputs].some((input) => movementInputs.has(input));

/**
 * Reads the additional inputs again of days whose summary was just created from `used`.
 * @returns the days that have other totals now: a concurrent batch stored samples after the first read, and found no
 *   summary before it was created.
 */
export async function findMissedTotals(
  on: DerivationContext,
  used: ReadonlyMap<number, InputTotals>,
): Promise<number[]> {
  const now = await readTotals(on, new Map([...used.keys()].map((day) => [day, additionalInputs])));
  return [...now].flatMap(([day, ofDay]) => {
    const isSame = [...ofDay].every(([input, total]) => isDeepStrictEqual(total, used.get(day)?.get(input)));
    return isSame ? [] : [day];
  });
}

async function readTotals(
  { chunks, context, floatingOf }: DerivationContext,
  wanted: ReadonlyMap<number, ReadonlySet<ActivityInput>>,
): Promise<ReadonlyMap<number, InputTotals>> {
  const totals = new Map([...wanted.keys()].map((day) => [day, new Map<ActivityInput, DayTotal | undefined>()]));
  const { scope, user, batch } = context;
  const source = { provider: batch.provider, sourceType: batch.source_type };
  const reads = activityInputs.flatMap((input) => {
    const days = [...wanted].filter(([, inputs]) => inputs.has(input)).map(([day]) => day);
    return groupDays(days, MAX_GAP_DAYS).map(({ first, last }) => {
      return { input, first, last, days: days.filter((day) => day >= first && day <= last) };
    });
  });
  await inParallel(reads, async ({ input, first, last, days }) => {
    const resource = getResource(input);
    const query = { range: instantsOfDays(first, last), source, isConsistent: true };
    const slices = chunks.read(scope, user.user_id, resource, query);
    for await (const [day, ofDay] of slicesOfDays(slices, days, resource))
      totals.get(day)?.set(input, totalDay(resource, ofDay, day, floatingOf));
  });
  return totals;
}
