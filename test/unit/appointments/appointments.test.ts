import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Appointment,
  AppointmentRefused,
  cancelAppointment,
  isReservationExpired,
  newAppointment,
  patientHomeAddress,
  rescheduleAppointment,
  transitionAppointment,
} from "../../../lib/domain/appointments/appointment.ts";
import {
  appointmentRequest,
  bookingRequest,
  phlebotomyCancellation,
  pscAvailabilityQuery,
  pscCancellation,
  pscSearchRefusal,
  rescheduleRequest,
} from "../../../lib/domain/appointments/appointment-requests.ts";
import {
  appointmentStatuses,
  appointmentTransitions,
  canAppointmentTransition,
} from "../../../lib/domain/appointments/appointment-states.ts";
import {
  BOOKING_KEY_TTL_MS,
  formatBookingKey,
  parseBookingKey,
  resolveBookingKey,
} from "../../../lib/domain/appointments/booking-key.ts";
import { phlebotomyReasons, pscReasons } from "../../../lib/domain/appointments/cancellation-reasons.ts";
import {
  findSlotAt,
  firstAvailableDate,
  listAvailability,
  PSC_TIME_ZONE,
  type SlotKind,
} from "../../../lib/domain/appointments/slots.ts";
import { clockAt, instantAt } from "../../../lib/domain/appointments/wall-clock.ts";
import { wireAppointment } from "../../../lib/domain/appointments/wire-appointment.ts";
import { toWireAvailabilityDays, wireAvailability } from "../../../lib/domain/appointments/wire-availability.ts";
import { createPlacedOrder, ORDERED_AT } from "../orders/order-fixtures.ts";

const HOUR_MS = 3_600_000;
const TEAM = "11111111-0000-4000-8000-000000000000";
const order = createPlacedOrder("at_home_phlebotomy");
const slot = { startMs: Date.parse("2026-03-04T15:00:00Z"), endMs: Date.parse("2026-03-04T16:00:00Z") };

function booked(status: "pending" | "reserved" | "scheduled" = "scheduled"): Appointment {
  const address = patientHomeAddress(order)!;
  const id = order.id;
  const about = {
    type: "phlebotomy",
    provider: "getlabs",
    providerId: "P1",
    zone: "America/Phoenix",
    location: { lng: -112, lat: 33 },
  } as const;
  return newAppointment(
    { ...about, id, order, address, slot: status === "pending" ? null : slot, notes: "Ring twice" },
    status,
    ORDERED_AT,
  );
}

describe("an appointment", () => {
  test("matches the published schema: confirmed as status and scheduled in its history", () => {
    const appointment = booked();
    expect(wireAppointment.parse(appointment)).toEqual(appointment);
    expect(appointment).toMatchObject({
      status: "confirmed",
      event_status: "scheduled",
      can_reschedule: true,
      start_at: "2026-03-04T15:00:00.000Z",
    });
    expect(appointment.order_transaction_id).toBe(order.order_transaction?.id);
  });

  test("has no time and can not be rescheduled while it is pending", () => {
    expect(booked("pending")).toMatchObject({ status: "pending", start_at: null, end_at: null, can_reschedule: false });
    expect(() => rescheduleAppointment(booked("pending"), slot, null, ORDERED_AT)).toThrow(AppointmentRefused);
  });

  test("can not be rescheduled with a provider that has no bookable times", () => {
    const appointment = transitionAppointment(
      { ...booked("pending"), provider: "phlebfinders" },
      "scheduled",
      ORDERED_AT,
    );
    expect(appointment).toMatchObject({ status: "confirmed", can_reschedule: false });
    expect(() => rescheduleAppointment(appointment, slot, null, ORDERED_AT)).toThrow(AppointmentRefused);
  });

  test("keeps access notes and appointment notes when it is rescheduled", () => {
    const later = { startMs: slot.startMs + HOUR_MS, endMs: slot.endMs + HOUR_MS };
    const moved = rescheduleAppointment(booked(), later, undefined, ORDERED_AT);
    expect(moved).toMatchObject({
      start_at: "2026-03-04T16:00:00.000Z",
      appointment_notes: "Ring twice",
      address: { access_notes: "Gate code 12" },
    });
    expect(moved.events.map(({ status }) => status)).toEqual(["scheduled", "scheduled"]);
    expect(rescheduleAppointment(booked(), later, "Knock", ORDERED_AT).appointment_notes).toBe("Knock");
  });

  test("can not be rescheduled once it has started", () => {
    expect(() => rescheduleAppointment(booked(), slot, null, "2026-03-04T15:00:00Z")).toThrow("has already started");
  });

  test("is cancelled once, with its reason", () => {
    const cancelled = cancelAppointment(booked(), { reasonId: phlebotomyReasons[0]!.id, note: "Moved" }, ORDERED_AT);
    expect(cancelled).toMatchObject({ status: "cancelled", can_reschedule: false, event_data: { note: "Moved" } });
    expect(() => cancelAppointment(cancelled, { reasonId: null, note: null }, ORDERED_AT)).toThrow(
      "from cancelled to cancelled",
    );
  });

  test("allows exactly the transitions of the table", () => {
    for (const from of appointmentStatuses) {
      for (const to of appointmentStatuses) {
        const appointment = { ...booked(), event_status: from };
        const isStep = appointmentTransitions.some((edge) => edge.from === from && edge.to === to);
        expect(canAppointmentTransition(from, to)).toBe(isStep);
        if (isStep) expect(transitionAppointment(appointment, to, ORDERED_AT).events.at(-1)?.status).toBe(to);
        else expect(() => transitionAppointment(appointment, to, ORDERED_AT)).toThrow(AppointmentRefused);
      }
    }
  });

  test("expires as a reservation after eight hours without a requisition, or less than two hours before its time", () => {
    const made = Date.parse(ORDERED_AT);
    const waiting = { ...booked("reserved"), start_at: new Date(made + 20 * HOUR_MS).toISOString() };
    const lost = (afterHours: number, appointment: Appointment = waiting) =>
      isReservationExpired(appointment, made + afterHours * HOUR_MS);
    expect([lost(7.9), lost(8)]).toEqual([false, true]);
    const soon = { ...waiting, start_at: new Date(made + 5 * HOUR_MS).toISOString() };
    expect([lost(3, soon), lost(3.1, soon)]).toEqual([false, true]);
    expect(lost(9, booked())).toBe(false);
  });

  test("takes place at the patient's home only in the United States", () => {
    const abroad = { ...order, patient_address: { ...order.patient_address!, country: "DE", zip: "10115" } };
    expect(patientHomeAddress(order)).toMatchObject({ zip_code: "85004", access_notes: "Gate code 12" });
    expect(patientHomeAddress(abroad)).toBeUndefined();
  });

  test("has cancellation reasons with unique ids", () => {
    const ids = [...phlebotomyReasons, ...pscReasons].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("local clocks", () => {
  test("skip an hour in spring and repeat an hour in autumn", () => {
    const iso = (zone: string, date: string, minutes: number) => new Date(instantAt(zone, date, minutes)).toISOString();
    expect(iso(PSC_TIME_ZONE, "2026-03-07", 7 * 60)).toBe("2026-03-07T12:00:00.000Z");
    expect(iso(PSC_TIME_ZONE, "2026-03-09", 7 * 60)).toBe("2026-03-09T11:00:00.000Z");
    expect(iso(PSC_TIME_ZONE, "2026-03-08", 2 * 60 + 30)).toBe("2026-03-08T07:30:00.000Z");
    expect(iso(PSC_TIME_ZONE, "2026-11-01", 90)).toBe("2026-11-01T05:30:00.000Z");
    expect(iso("America/Phoenix", "2026-07-01", 7 * 60)).toBe("2026-07-01T14:00:00.000Z");
  });

  test("give the local date of a place", () => {
    expect(clockAt("America/Phoenix", Date.parse("2026-03-02T05:59:00Z"))).toEqual({
      date: "2026-03-01",
      minutes: 22 * 60 + 59,
    });
  });
});

const byClock = (zone: string, ms: number) => clockAt(zone, ms).minutes / 60;

describe("appointment times at patient service centers", () => {
  const psc = (nowIso: string, start = nowIso.slice(0, 10)) =>
    listAvailability("patient_service_center", PSC_TIME_ZONE, start, Date.parse(nowIso));

  test("are every 20 minutes: today from the next hour to 17:00, later from 07:00 to 12:00, on 14 days", () => {
    // The local time in New York is 10:30.
    const days = psc("2026-03-02T15:30:00Z");
    expect(days).toHaveLength(14);
    const [today, tomorrow] = days.map(({ slots }) => slots);
    expect(byClock(PSC_TIME_ZONE, today![0]!.startMs)).toBe(11);
    expect(byClock(PSC_TIME_ZONE, today!.at(-1)!.endMs)).toBe(17);
    expect(today).toHaveLength(18);
    expect(byClock(PSC_TIME_ZONE, tomorrow![0]!.startMs)).toBe(7);
    expect(byClock(PSC_TIME_ZONE, tomorrow!.at(-1)!.endMs)).toBe(12);
    expect(tomorrow).toHaveLength(15);
  });

  test("of the same day are offered only before 16:00", () => {
    expect(psc("2026-03-02T20:59:00Z")[0]!.slots).toHaveLength(3);
    expect(psc("2026-03-02T21:00:00Z")[0]!.slots).toEqual([]);
  });

  test("of past days are not offered", () => {
    expect(
      psc("2026-03-02T15:30:00Z", "2026-02-28")
        .map(({ slots }) => slots.length > 0)
        .slice(0, 3),
    ).toEqual([false, false, true]);
  });

  test("are searched by one to three sites, or around a zip code", () => {
    const isTaken = (query: Record<string, unknown>) =>
      pscSearchRefusal(pscAvailabilityQuery.parse({ lab: "quest", ...query })) === undefined;
    expect(isTaken({ site_codes: ["A", "B", "C"] })).toBe(true);
    expect(isTaken({ zip_code: "85004", radius: "25" })).toBe(true);
    const wrong = [{}, { zip_code: "85004" }, { site_codes: ["A", "B", "C", "D"] }];
    expect(wrong.filter(isTaken)).toEqual([]);
    expect(pscAvailabilityQuery.safeParse({ site_codes: ["A"], lab: "labcorp" }).success).toBe(false);
  });
});

describe("an appointment request", () => {
  test("has notes of up to 1,000 characters and limits on the waiting time", () => {
    const asked = { booking_key: "k" };
    expect(bookingRequest.parse(asked)).toEqual({ ...asked, async_confirmation: false });
    const wrong = [
      {},
      { ...asked, appointment_notes: "x".repeat(1_001) },
      { ...asked, sync_confirmation_timeout_millisecond: 999 },
      { ...asked, async_confirmation_timeout_millisecond: 172_800_001 },
    ];
    expect(wrong.filter((body) => bookingRequest.safeParse(body).success)).toEqual([]);
    expect(rescheduleRequest.safeParse({ ...asked, appointment_notes: "x".repeat(1_001) }).success).toBe(false);
    const address = patientHomeAddress(order);
    expect(appointmentRequest.safeParse({ address, provider: "phlebfinders" }).success).toBe(true);
    const elsewhere = { address: { ...address, zip_code: "8500" }, provider: "phlebfinders" };
    expect(appointmentRequest.safeParse(elsewhere).success).toBe(false);
  });

  test("names the cancellation reason in snake case for a home draw and in camel case for a site visit", () => {
    const [reason] = phlebotomyReasons.map(({ id }) => id);
    expect(phlebotomyCancellation.safeParse({ cancellation_reason_id: reason }).success).toBe(true);
    expect(phlebotomyCancellation.safeParse({ cancellationReasonId: reason }).success).toBe(false);
    expect(pscCancellation.safeParse({ cancellationReasonId: reason, note: "Moved" }).success).toBe(true);
    expect(pscCancellation.safeParse({ cancellation_reason_id: reason }).success).toBe(false);
  });
});

describe("appointment times of a patient service center", () => {
  test("are offered once each on the night of the spring clock change", () => {
    // The local time in New York is 01:30; the clocks go from 02:00 to 03:00.
    const [today] = listAvailability(
      "patient_service_center",
      PSC_TIME_ZONE,
      "2026-03-08",
      Date.parse("2026-03-08T06:30:00Z"),
    );
    const starts = today!.slots.map(({ startMs }) => startMs);
    expect(new Set(starts).size).toBe(starts.length);
    expect(byClock(PSC_TIME_ZONE, starts[0]!)).toBe(3);
  });
});

describe("appointment times", () => {
  const nowMs = Date.parse("2026-03-02T17:30:00Z");
  const datesOf = (kind: SlotKind, start: string) =>
    listAvailability(kind, PSC_TIME_ZONE, start, nowMs).map(({ date }) => date);

  test.each(["phlebotomy", "patient_service_center"] as const)("of %s end with the 90th day from today on", (kind) => {
    expect(datesOf(kind, "2026-05-17")).toHaveLength(14);
    expect(datesOf(kind, "2026-05-29")).toEqual(["2026-05-29", "2026-05-30"]);
    for (const start of ["2026-05-31", "9999-12-18", "9999-12-31"]) expect(datesOf(kind, start)).toEqual([]);
    const [lastDay] = listAvailability(kind, PSC_TIME_ZONE, "2026-05-30", nowMs);
    const { startMs } = lastDay!.slots[0]!;
    expect(findSlotAt(kind, PSC_TIME_ZONE, startMs, nowMs)).toEqual(lastDay!.slots[0]);
    for (const later of [startMs + 24 * HOUR_MS, Date.parse("9999-12-31T12:00:00Z"), 36 ** 7 * 60_000])
      expect(findSlotAt(kind, PSC_TIME_ZONE, later, nowMs)).toBeUndefined();
  });

  test.each([
    ["phlebotomy", "2026-03-02T19:00:00Z", "2026-03-02"],
    ["phlebotomy", "2026-03-02T19:01:00Z", "2026-03-03"],
    ["patient_service_center", "2026-03-02T20:59:00Z", "2026-03-02"],
    ["patient_service_center", "2026-03-02T21:00:00Z", "2026-03-03"],
    ["patient_service_center", "2026-03-03T04:59:00Z", "2026-03-03"],
  ] as const)("of %s begin at %s on %s, for 14 days", (kind, now, first) => {
    const at = Date.parse(now);
    expect(firstAvailableDate(kind, PSC_TIME_ZONE, at)).toBe(first);
    const days = listAvailability(kind, PSC_TIME_ZONE, first, at);
    expect(days.map(({ slots }) => slots.length > 0)).toEqual(Array(14).fill(true));
  });

  test("keep their local time when daylight saving time changes", () => {
    const days = listAvailability("patient_service_center", PSC_TIME_ZONE, "2026-03-05", nowMs);
    const utcHours = days.map(({ slots }) => new Date(slots[0]!.startMs).getUTCHours());
    expect(utcHours).toEqual([...Array(3).fill(12), ...Array(11).fill(11)]);
    for (const { slots, date } of days)
      expect(clockAt(PSC_TIME_ZONE, slots[0]!.startMs)).toEqual({ date, minutes: 420 });
  });
});

describe("appointment times of phlebotomists", () => {
  test("are every hour from 07:00 to 17:00 in the patient's time zone, at least two hours ahead", () => {
    // The local time in Phoenix is 10:30.
    const [today, tomorrow] = listAvailability(
      "phlebotomy",
      "America/Phoenix",
      "2026-03-02",
      Date.parse("2026-03-02T17:30:00Z"),
    );
    expect(byClock("America/Phoenix", today!.slots[0]!.startMs)).toBe(13);
    expect(tomorrow!.slots.map(({ startMs }) => byClock("America/Phoenix", startMs))).toEqual([
      7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    ]);
  });
});

describe("a booking key", () => {
  const kinds: readonly SlotKind[] = ["phlebotomy", "patient_service_center"];
  const anywhere = (kind: SlotKind) => ({ kind, zone: PSC_TIME_ZONE, serves: () => true });

  test("resolves to its offered time, and each offered time has its own key", () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.nat(365 * 24 * 60), fc.nat(59), (kind, minutes, later) => {
        const nowMs = Date.parse("2026-01-01T00:00:00Z") + minutes * 60_000;
        const days = listAvailability(kind, PSC_TIME_ZONE, clockAt(PSC_TIME_ZONE, nowMs).date, nowMs);
        const offering = { teamId: TEAM, kind, provider: "quest", place: "QSY0001", location: null };
        const wire = toWireAvailabilityDays(days, offering, () => false, nowMs);
        expect(wireAvailability.safeParse({ slots: wire, timezone: PSC_TIME_ZONE }).success).toBe(true);
        const slots = wire.flatMap((day) => day.slots);
        expect(new Set(slots.map(({ booking_key }) => booking_key)).size).toBe(slots.length);
        for (const { booking_key, start, end } of slots.slice(0, 5)) {
          const key = parseBookingKey(booking_key ?? "", TEAM)!;
          const slot = { startMs: Date.parse(start), endMs: Date.parse(end) };
          expect(resolveBookingKey(key, anywhere(kind), nowMs)).toEqual(slot);
          const laterMs = nowMs + later * 60_000;
          const expected = slot.startMs > laterMs ? slot : "not_offered";
          expect(resolveBookingKey(key, anywhere(kind), laterMs)).toEqual(expected);
          expect(resolveBookingKey(key, anywhere(kind), nowMs + BOOKING_KEY_TTL_MS)).toBe("expired");
        }
      }),
      { numRuns: 30 },
    );
  });

  test("of today outlives the hour in which it was issued, until its time begins", () => {
    const kind = "patient_service_center";
    // The local time in New York is 13:58, and the next full hour begins the times of today.
    const issuedMs = Date.parse("2026-03-02T18:58:30Z");
    const [first] = listAvailability(kind, PSC_TIME_ZONE, "2026-03-02", issuedMs)[0]!.slots;
    const expiresMs = issuedMs + BOOKING_KEY_TTL_MS;
    const text = formatBookingKey(
      { kind, provider: "quest", place: "QSY0001", startMs: first!.startMs, expiresMs },
      TEAM,
    );
    const at = (time: string) => resolveBookingKey(parseBookingKey(text, TEAM)!, anywhere(kind), Date.parse(time));
    expect(at("2026-03-02T18:59:59Z")).toEqual(first);
    expect(at("2026-03-02T19:00:00Z")).toBe("not_offered");
    const startMs = first!.startMs + 40 * 60_000;
    const key = { kind, provider: "quest", place: "QSY0001", startMs, expiresMs } as const;
    expect(resolveBookingKey(key, anywhere(kind), Date.parse("2026-03-02T19:39:00Z"))).toMatchObject({ startMs });
  });

  const nowMs = Date.parse("2026-03-02T15:30:00Z");
  const real = {
    kind: "patient_service_center",
    provider: "quest",
    place: "QSY0001",
    startMs: Date.parse("2026-03-03T12:20:00Z"),
    expiresMs: nowMs + 60_000,
  } as const;

  test("does not resolve to a time that is not offered", () => {
    const kept = (more: Partial<Record<keyof typeof real, unknown>>) =>
      resolveBookingKey(
        parseBookingKey(formatBookingKey({ ...real, ...more } as typeof real, TEAM), TEAM)!,
        anywhere("patient_service_center"),
        nowMs,
      );
    expect(kept({})).toMatchObject({ startMs: real.startMs });
    expect(kept({ startMs: Date.parse("2026-03-03T12:25:00Z") })).toBe("not_offered");
    expect(kept({ startMs: Date.parse("2026-03-01T12:20:00Z") })).toBe("not_offered");
    expect(kept({ startMs: Date.parse("2027-03-03T12:20:00Z") })).toBe("not_offered");
    expect(kept({ expiresMs: nowMs + 2 * BOOKING_KEY_TTL_MS })).toBe("expired");
    expect(kept({ kind: "phlebotomy" })).toBe("other_place");
    const elsewhere = { ...anywhere("patient_service_center"), serves: () => false };
    expect(resolveBookingKey(real, elsewhere, nowMs)).toBe("other_place");
  });

  test("is distinguished from any other text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), mutated(formatBookingKey(real, TEAM))), (text) => {
        expect(parseBookingKey(text, TEAM)).toEqual(text === formatBookingKey(real, TEAM) ? real : undefined);
      }),
      { numRuns: 2_000 },
    );
    expect(parseBookingKey("", TEAM)).toBeUndefined();
    expect(parseBookingKey(`${formatBookingKey(real, TEAM)}A`, TEAM)).toBeUndefined();
  });

  test("is invalid for another team", () => {
    expect(parseBookingKey(formatBookingKey(real, TEAM), "another team")).toBeUndefined();
  });

  test("is omitted from availability when the time is taken", () => {
    const days = listAvailability("patient_service_center", PSC_TIME_ZONE, "2026-03-03", nowMs);
    const offering = { ...real, teamId: TEAM, location: null };
    const slots = toWireAvailabilityDays(days, offering, (startMs) => startMs === real.startMs, nowMs)[0]!.slots;
    expect(slots).toHaveLength(14);
    expect(slots.some(({ start }) => Date.parse(start) === real.startMs)).toBe(false);
  });
});

/** A text with one character replaced. */
function mutated(text: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(text.length - 1), fc.constantFrom(..."abcXYZ019_-"))
    .map(([place, character]) => text.slice(0, place) + character + text.slice(place + 1));
}
