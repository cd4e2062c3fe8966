import { dateToDay } from "../shared/local-day.ts";
import { clockAt, datesFrom, instantAt, localDayAt } from "./wall-clock.ts";

/** Number of days in one availability response. */
export const AVAILABILITY_DAYS = 14;
/** Number of days, from today on, on which slots are bookable. */
const BOOKABLE_DAYS = 90;
/** Time zone of the slots of patient service centers. */
export const PSC_TIME_ZONE = "America/New_York";

const HOUR_MIN = 60;
const MINUTE_MS = 60_000;
/** Minimum notice of an at-home draw: two hours. */
const NOTICE_MS = 2 * HOUR_MIN * MINUTE_MS;

/** Kinds of slots and appointments: phlebotomists around a zip code, or a patient service center. */
export const slotKinds = ["phlebotomy", "patient_service_center"] as const;
export type SlotKind = (typeof slotKinds)[number];

/** Bookable slot, epoch milliseconds. */
export interface Slot {
  readonly startMs: number;
  readonly endMs: number;
}

/** Slots of one local date. */
export interface DailySlots {
  readonly date: string;
  readonly slots: readonly Slot[];
}

/** Opening window of a day in minutes since midnight, and the interval between slot starts in minutes. */
interface OpeningWindow {
  readonly from: number;
  readonly to: number;
  readonly every: number;
}

const PHLEBOTOMY_HOURS: OpeningWindow = { from: 7 * HOUR_MIN, to: 17 * HOUR_MIN, every: HOUR_MIN };
const PSC_MORNING: OpeningWindow = { from: 7 * HOUR_MIN, to: 12 * HOUR_MIN, every: 20 };
const PSC_CLOSES = 17 * HOUR_MIN;

/**
 * Opening window of a date. A patient service center offers same-day slots from its next full hour on, so it offers
 * none from 16:00 on.
 */
function openingOn(kind: SlotKind, date: string, clock: ReturnType<typeof clockAt>): OpeningWindow {
  if (kind === "phlebotomy") return PHLEBOTOMY_HOURS;
  if (date !== clock.date) return PSC_MORNING;
  return { from: (Math.floor(clock.minutes / HOUR_MIN) + 1) * HOUR_MIN, to: PSC_CLOSES, every: 20 };
}

/**
 * Lists the slots of consecutive days from a start date. Past days and past times have no slots. The list ends with the
 * last bookable day. The last slot of a day ends with the opening window.
 *
 * @param zone IANA time zone of the dates.
 */
export function listAvailability(kind: SlotKind, zone: string, startDate: string, nowMs: number): DailySlots[] {
  const bookableDays = localDayAt(zone, nowMs) + BOOKABLE_DAYS - dateToDay(startDate);
  const days = Math.min(AVAILABILITY_DAYS, Math.max(0, bookableDays));
  return datesFrom(startDate, days).map((date) => ({ date, slots: listSlotsOn(kind, zone, date, nowMs) }));
}

/** The first local date from now on that has slots, held ones included: tomorrow once today's have begun. */
export function firstAvailableDate(kind: SlotKind, zone: string, nowMs: number): string {
  const [today = "", tomorrow = ""] = datesFrom(clockAt(zone, nowMs).date, 2);
  return listSlotsOn(kind, zone, today, nowMs).length > 0 ? today : tomorrow;
}

function listSlotsOn(kind: SlotKind, zone: string, date: string, nowMs: number): Slot[] {
  const clock = clockAt(zone, nowMs);
  const opening = openingOn(kind, date, clock);
  const earliest = kind === "phlebotomy" ? nowMs + NOTICE_MS : nowMs;
  const slots: Slot[] = [];
  for (let minutes = opening.from; minutes + opening.every <= opening.to; minutes += opening.every) {
    const startMs = instantAt(zone, date, minutes);
    // A local time that daylight saving skips would duplicate another slot of the day.
    const isSkipped = clockAt(zone, startMs).minutes !== minutes;
    if (startMs >= earliest && !isSkipped) slots.push({ startMs, endMs: startMs + opening.every * MINUTE_MS });
  }
  return slots;
}

/** Finds the slot that starts at an instant; undefined if it was not bookable at `atMs`. */
export function findSlotAt(kind: SlotKind, zone: string, startMs: number, atMs: number): Slot | undefined {
  if (localDayAt(zone, startMs) >= localDayAt(zone, atMs) + BOOKABLE_DAYS) return undefined;
  return listSlotsOn(kind, zone, clockAt(zone, startMs).date, atMs).find((slot) => slot.startMs === startMs);
}
