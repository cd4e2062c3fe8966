import * as z from "zod";
import { BOOKING_KEY_TTL_MS, formatBookingKey } from "./booking-key.ts";
import type { DailySlots, SlotKind } from "./slots.ts";

const instant = z.iso.datetime({ offset: true });
const text = z.string().nullable();

const slot = z.object({
  booking_key: text,
  start: instant,
  end: instant,
  expires_at: instant.nullable(),
  price: z.number(),
  is_priority: z.boolean(),
  num_appointments_available: z.int(),
});

const location = z.object({
  location: z.object({ lng: z.number(), lat: z.number() }),
  distance: z.int().nullable().describe("Miles"),
  address: z.object({
    first_line: z.string(),
    second_line: text,
    city: z.string(),
    state: z.string(),
    zip_code: z.string(),
    unit: text,
    access_notes: text,
  }),
  code: z.string(),
  name: z.string(),
  iana_timezone: text,
});
type SlotLocation = z.output<typeof location>;

/** Bookable slots of 14 days, by day and, for patient service centers, by site. */
export const wireAvailability = z
  .object({
    slots: z.array(z.object({ location: location.nullable(), date: z.iso.date(), slots: z.array(slot) })),
    timezone: text,
  })
  .meta({ id: "AppointmentAvailability" });
export type WireAvailabilityDay = z.output<typeof wireAvailability>["slots"][number];

/** Context of an availability response: the team, the provider and the place. */
export interface AvailabilityContext {
  readonly teamId: string;
  readonly kind: SlotKind;
  readonly provider: string;
  readonly place: string;
  readonly location: SlotLocation | null;
}

/**
 * Converts days to the wire format, without days that have no free slot.
 * @param isHeld whether another appointment holds the slot that starts at `startMs`.
 */
export function toWireAvailabilityDays(
  days: readonly DailySlots[],
  { teamId, kind, provider, place, location }: AvailabilityContext,
  isHeld: (startMs: number) => boolean,
  nowMs: number,
): WireAvailabilityDay[] {
  const expiresMs = nowMs + BOOKING_KEY_TTL_MS;
  const iso = (ms: number) => new Date(ms).toISOString();
  return days.flatMap(({ date, slots }) => {
    const free = slots.filter(({ startMs }) => !isHeld(startMs));
    if (free.length === 0) return [];
    const answered = free.map(({ startMs, endMs }) => ({
      booking_key: formatBookingKey({ kind, provider, place, startMs, expiresMs }, teamId),
      start: iso(startMs),
      end: iso(endMs),
      expires_at: iso(Math.floor(expiresMs / 60_000) * 60_000),
      price: 0,
      is_priority: false,
      num_appointments_available: 1,
    }));
    return [{ location, date, slots: answered }];
  });
}
