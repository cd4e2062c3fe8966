import { clockAt, datesFrom, instantAt } from "./wall-clock.ts";

/** Days that availability is answered for (spec, Limits). */
export const AVAILABILITY_DAYS = 14;
/** The clocks by which patient service centers offer times. */
export const PSC_ZONE = "America/New_York";

const HOUR_MIN = 60;
const MINUTE_MS = 60_000;
/** A phlebotomist is not sent within two hours. */
const NOTICE_MS = 2 * HOUR_MIN * MINUTE_MS;

/** Who offers times: phlebotomists around a zip code, or a patient service center. */
export type SlotKind = "phlebotomy" | "patient_service_center";

/** A time that can be booked, epoch milliseconds. */
export interface Slot {
  readonly startMs: number;
  readonly endMs: number;
}

/** The times of one day, by the clock. */
export interface DayOfSlots {
  readonly date: string;
  readonly slots: readonly Slot[];
}

/** The hours of a day in minutes since midnight, and how far apart its times begin. */
interface Opening {
  readonly from: number;
  readonly to: number;
  readonly every: number;
}

const PHLEBOTOMY_HOURS: Opening = { from: 7 * HOUR_MIN, to: 17 * HOUR_MIN, every: HOUR_MIN };
const PSC_MORNING: Opening = { from: 7 * HOUR_MIN, to: 12 * HOUR_MIN, every: 20 };
const PSC_CLOSES = 17 * HOUR_MIN;

/** The opening of a day; a patient service center gives times of the same day from its next hour on, so from 16:00 on none. */
function openingOf(kind: SlotKind, date: string, clock: ReturnType<typeof clockAt>): Opening {
  if (kind === "phlebotomy") return PHLEBOTOMY_HOURS;
  if (date !== clock.date) return PSC_MORNING;
  return { from: (Math.floor(clock.minutes / HOUR_MIN) + 1) * HOUR_MIN, to: PSC_CLOSES, every: 20 };
}

/**
 * The times of the days from a date on. Days before today and times that have passed have none; the last time of a day
 * ends when the day's opening does.
 *
 * @param zone the clocks by which the days are.
 */
export function availability(kind: SlotKind, zone: string, startDate: string, nowMs: number): DayOfSlots[] {
  return datesFrom(startDate, AVAILABILITY_DAYS).map((date) => ({ date, slots: slotsOn(kind, zone, date, nowMs) }));
}

function slotsOn(kind: SlotKind, zone: string, date: string, nowMs: number): Slot[] {
  const clock = clockAt(zone, nowMs);
  const opening = openingOf(kind, date, clock);
  const earliest = kind === "phlebotomy" ? nowMs + NOTICE_MS : nowMs;
  const slots: Slot[] = [];
  for (let minutes = opening.from; minutes + opening.every <= opening.to; minutes += opening.every) {
    const startMs = instantAt(zone, date, minutes);
    // A time that clocks skip on this day would stand for the one they show instead, a second time.
    const isSkipped = clockAt(zone, startMs).minutes !== minutes;
    if (startMs >= earliest && !isSkipped) slots.push({ startMs, endMs: startMs + opening.every * MINUTE_MS });
  }
  return slots;
}

/** The time that begins at an instant, if it can be booked now. */
export function slotAt(kind: SlotKind, zone: string, startMs: number, nowMs: number): Slot | undefined {
  const { date } = clockAt(zone, startMs);
  const last = datesFrom(clockAt(zone, nowMs).date, BOOKABLE_DAYS).at(-1) ?? date;
  if (date > last) return undefined;
  return slotsOn(kind, zone, date, nowMs).find((slot) => slot.startMs === startMs);
}

/** How many days ahead a time can be booked: availability may be asked for from a later day on. */
const BOOKABLE_DAYS = 90;
