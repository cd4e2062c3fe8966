import { dayToDate, floatingTimeConverter, localDayConverter, type ToLocalDay } from "../../domain/shared/local-day.ts";
import { activity } from "../../domain/summaries/activity.ts";
import {
  activityInputs,
  additionalInputs,
  deriveDailyActivity,
  movementDays,
  movementInputs,
} from "../../domain/summaries/derive-daily-activity.ts";
import type { NewEvent } from "../../events/constructors/compose-event.ts";
import { historicalEvent } from "../../events/constructors/data-events.ts";
import { inParallel } from "../../runtime/in-parallel.ts";
import type { SummaryRecord } from "../../store/summaries/summary-record.ts";
import {
  type ChangesByDay,
  type DayChange,
  type DerivationContext,
  findMissedTotals,
  type InputTotals,
  readDayTotals,
  readStoredActivity,
} from "./read-day-totals.ts";
import { type BatchContext, type ChangedSamples, type StoreResult, toStoredDays } from "./store-samples.ts";
import { summaryEvents, toInstantRange } from "./stored-data-events.ts";

const MAX_DERIVE_ATTEMPTS = 20;

/**
 * Derives the activity of each day whose samples a batch changed, unless the source sent an activity itself.
 * Reads a summary before its samples, replaces the summary only if it is unchanged, and reads both again otherwise.
 * So the last of several concurrent batches has read the samples of all of them.
 *
 * A batch of heart rate or basal energy alone derives nothing for a day without a summary, and reads no samples of it.
 * Its samples still count, because it stores them before it looks for the summary. If it finds none, the batch that
 * creates the summary does so later, and reads these samples once more after that. If it finds one, it replaces it.
 * The creator may stop in between, so the second derivation of a summary reads them too.
 */
export async function deriveActivity(
  stores: Pick<DerivationContext, "chunks" | "summaries">,
  context: BatchContext,
  stored: readonly StoreResult[],
): Promise<StoreResult> {
  const zone = context.user.fallback_time_zone.id;
  const on = { ...stores, context, floatingOf: floatingTimeConverter(zone) };
  const derived: SummaryRecord[] = [];
  let open = toChangesByDay(stored, localDayConverter(zone));
  for (let attempt = 1; open.size > 0; attempt++) {
    if (attempt > MAX_DERIVE_ATTEMPTS) throw new Error(`${open.size} days changed during every attempt`);
    const tried = await deriveDays(on, open);
    derived.push(...tried.derived);
    open = tried.open;
  }
  // A receipt counts only records of the sender, not derived ones.
  const days = toStoredDays(activity.name, derived);
  return { created: 0, updated: 0, unchanged: 0, events: derivedEvents(context, derived), refused: [], days };
}

function toChangesByDay(stored: readonly StoreResult[], dayOf: ToLocalDay): ChangesByDay {
  const changes = new Map<number, DayChange>();
  for (const { resource, now, before, updatedEarlier } of stored.flatMap(({ changed }) => changed ?? [])) {
    const input = activityInputs.find((name) => name === resource);
    if (!input) continue;
    const note = (day: number, hadMovement = false) => {
      const recorded = changes.get(day);
      const inputs = new Set(recorded?.inputs).add(input);
      changes.set(day, { inputs, hadMovement: hadMovement || recorded?.hadMovement === true });
    };
    const daysOf = (samples: ChangedSamples["now"]) =>
      new Set(samples.map(({ start, offsetS }) => dayOf(start, offsetS ?? NaN)));
    for (const day of daysOf(now)) note(day);
    for (const day of daysOf(before)) note(day, movementInputs.has(input));
    // An earlier version with another UTC offset may have belonged to the day before or after.
    for (const day of daysOf(updatedEarlier)) for (const near of [day - 1, day + 1]) note(near);
  }
  return changes;
}

/**
 * Tries each day once.
 * @returns the stored summaries, and the days to try again: those that lost to a concurrent writer, and new ones that
 *   miss samples of one.
 */
async function deriveDays(on: DerivationContext, changes: ChangesByDay) {
  const stored = await readStoredActivity(on, [...changes.keys()]);
  // An earlier run of this batch derived these, and may have stopped before it recorded their events.
  const derived = [...stored.values()].filter((record) => isDerived(record) && isOfBatch(on, record));
  const due = [...changes].flatMap(([day, change]): [number, DayChange][] => {
    const record = stored.get(day);
    if (!record) return [[day, change]];
    if (!isDerived(record) || (isOfBatch(on, record) && !mayMiss(record, change))) return [];
    return [[day, mayMiss(record, change) ? withAdditionalInputs(change) : change]];
  });
  const open = new Map<number, DayChange>();
  const created = new Map<number, InputTotals>();
  await inParallel([...(await readDayTotals(on, new Map(due), stored))], async ([day, ofDay]) => {
    const record = await deriveDay(on, day, ofDay, stored.get(day));
    const change = changes.get(day);
    if (record) derived.push(record);
    else if (change) open.set(day, change);
    if (record && !stored.has(day)) created.set(day, ofDay);
  });
  for (const day of await findMissedTotals(on, created)) open.set(day, MISSED);
  return { derived, open };
}

/** The samples that concurrent batches stored between the first read of a new summary's day and its creation. */
const MISSED: DayChange = { inputs: additionalInputs, hadMovement: false, isMissed: true };

const isDerived = (record: SummaryRecord) => record.derived !== undefined;
const isOfBatch = ({ context }: DerivationContext, record: SummaryRecord) => record.receipt_id === context.receiptId;

/**
 * Whether a summary may miss heart rate or basal energy of concurrent batches: its creator found that, or may have
 * stopped before it looked, and nothing was derived since.
 */
const mayMiss = ({ derived }: SummaryRecord, { isMissed }: DayChange) => isMissed === true || derived === 1;

const withAdditionalInputs = (change: DayChange): DayChange => ({
  ...change,
  inputs: change.inputs.union(additionalInputs),
});

function deriveDay(
  { summaries, context }: DerivationContext,
  day: number,
  totals: InputTotals,
  stored?: SummaryRecord,
) {
  const { scope, user, batch, receivedAt, receiptId } = context;
  const { provider, source_type: sourceType } = batch;
  const accepted = deriveDailyActivity(dayToDate(day), totals, stored?.fields);
  const incoming = { userId: user.user_id, kind: activity, provider, sourceType, accepted };
  return summaries.putDerived(scope, incoming, stored, { receivedAt, receiptId });
}

/**
 * Events as for summaries of the source. The history event also covers summaries that the source sent itself, and days
 * whose samples the batch repeats: the last part of a history repeats records to state the range.
 */
function derivedEvents(context: BatchContext, derived: readonly SummaryRecord[]): NewEvent[] {
  const merged = derived.map((record) => ({ outcome: record.verb, record }));
  // A derived activity covers all devices and apps of its source.
  const source = { ...context.source, device_id: null, app_id: null };
  const events = merged.length > 0 ? summaryEvents({ ...context, source }, activity, merged) : [];
  if (!context.announcement.sendsHistoricalEvent) return events;
  const moved = [...movementDays(context.batch.samples, context.user.fallback_time_zone.id)].map(dayToDate);
  if (derived.length + moved.length === 0) return events;
  const given = context.batch.summaries.activity ?? [];
  const dates = [...derived.map(({ day }) => day), ...moved, ...given.map(({ key }) => key)];
  const range = toInstantRange(dates.map((date) => Date.parse(date)));
  return [...events, historicalEvent(context, context.receiptId, "activity", range)];
}
