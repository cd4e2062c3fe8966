import { describe, expect, test } from "vitest";
import {
  cancelAppointment,
  newAppointment,
  rescheduleAppointment,
} from "../../../lib/domain/appointments/appointment.ts";
import { applyAppointmentUpdate } from "../../../lib/domain/orders/lifecycle/apply-updates.ts";
import { cancelOrder } from "../../../lib/domain/orders/lifecycle/order-commands.ts";
import type { LowLevelStatus } from "../../../lib/domain/orders/lifecycle/order-status.ts";
import {
  expectedResultDates,
  type Order,
  transitionTo,
} from "../../../lib/domain/orders/lifecycle/order-transitions.ts";
import { mergeReport, type ResultRecord } from "../../../lib/domain/results/result-record.ts";
import { type TrackedMarker, trackOrder } from "../../../lib/domain/results/track-order.ts";
import { wireOrderTracking } from "../../../lib/domain/results/wire-order-tracking.ts";
import { createPlacedOrder, ORDERED_AT } from "../orders/order-fixtures.ts";
import { report, value } from "./report-fixtures.ts";

const NOW = "2026-03-20T12:00:00.000Z";
const marker = (id: number, loincs: readonly string[], more: Partial<TrackedMarker> = {}): TrackedMarker => ({
  ...{ id, name: `Marker ${id}`, slug: `marker-${id}`, provider_id: String(id), common_tat_days: 2, isReflex: false },
  expected: loincs.map((loinc, index) => ({ id: index, name: loinc, slug: `loinc-${loinc}`, loinc })),
  ...more,
});
const track = (
  order: Order,
  record?: ResultRecord,
  markers: readonly TrackedMarker[] = [],
  appointments = [] as never[],
) => wireOrderTracking.parse(trackOrder(order, { markers, record, appointments }, NOW));
const through = (order: Order, ...levels: LowLevelStatus[]) =>
  levels.reduce((walked, level) => transitionTo(walked, level, ORDERED_AT), order);
const merged = (...reports: Parameters<typeof report>[0][]) =>
  reports.reduce<ResultRecord | undefined>((record, more) => mergeReport(record, "one", report(more)), undefined);

describe("a marker", () => {
  const panel = marker(1, ["2345-7", "3094-0"]);
  const partial = merged({ status: "partial" });
  const final = merged({ status: "final" });

  test.each([
    ["pending without a report", undefined, [panel], ["pending"]],
    ["pending with a part of a partial result", partial, [panel], ["pending"]],
    ["incomplete with a part of the final result", final, [panel], ["incomplete"]],
    ["resulted with all of its results, also of a partial one", partial, [marker(1, ["2345-7"])], ["resulted"]],
    ["resulted by the final result if it names no results", final, [marker(1, [])], ["resulted"]],
    ["not listed if another result may add it", final, [marker(1, ["9-9"], { isReflex: true })], []],
    ["listed once another result added it", final, [marker(1, ["2345-7"], { isReflex: true })], ["resulted"]],
  ])("is %s", (_, record, markers, statuses) => {
    const order = createPlacedOrder("walk_in_test");
    expect(track(order, record, markers).markers.map(({ status }) => status)).toEqual(statuses);
  });

  test("has no result that the laboratory cancelled", () => {
    const record = merged({
      observations: [value({ status: "cancelled" }), value({ loinc: "3094-0", test_code: null })],
    });
    const [tracked] = track(createPlacedOrder("walk_in_test"), record, [panel]).markers;
    expect(tracked).toMatchObject({ status: "incomplete", results: [{ slug: "loinc-3094-0", provider_id: "1" }] });
  });
});

describe("the collection", () => {
  const walkIn = through(createPlacedOrder("walk_in_test"), "requisition_created");
  const unknown = { collected_at: null, received_at: null };
  const received_at = "2026-03-05T08:00:00.000Z";

  test.each([
    ["is unknown for a new order", walkIn, undefined, null],
    ["is the laboratory's", walkIn, merged({}), { is_inferred: false, inferred_from: null }],
    [
      "is the draw",
      through(createPlacedOrder("on_site_collection"), "requisition_created", "draw_completed"),
      merged(unknown),
      { is_inferred: false, inferred_from: null },
    ],
    [
      "is inferred from the time at which the laboratory received the sample",
      walkIn,
      merged({ ...unknown, received_at }),
      { collected_at: received_at, is_inferred: true, inferred_from: "lab_accessioning" },
    ],
    [
      "is inferred from a partial result",
      through(walkIn, "partial_results"),
      undefined,
      { is_inferred: true, inferred_from: "lab_accessioning" },
    ],
  ])("%s", (_, order, record, collected) => {
    const { collected_at } = track(order, record);
    expect(collected_at).toEqual(collected && expect.objectContaining(collected));
  });
});

describe("the estimate", () => {
  const order = through(createPlacedOrder("walk_in_test"), "requisition_created");
  const slot = (day: string, hour = 14) => {
    const startMs = Date.parse(`${day}T${String(hour).padStart(2, "0")}:00:00Z`);
    return { startMs, endMs: startMs + 1_200_000 };
  };
  const venue = {
    ...{ type: "patient_service_center" as const, provider: "quest", zone: "America/Phoenix" },
    address: { first_line: "1 Main Street", city: "Phoenix", state: "AZ", zip_code: "85004" },
    location: { lng: -112, lat: 33.4 },
  };
  const about = { id: "a", providerId: "1", order, slot: slot("2026-04-01"), notes: null, ...venue };
  const booked = newAppointment(about, "scheduled", "2026-03-01T00:00:00.000Z");
  const evidence = (appointments: (typeof booked)[]) => ({ markers: [marker(1, [])], record: undefined, appointments });

  test("is that of the slot, and changes with its day only", () => {
    const later = rescheduleAppointment(booked, slot("2026-04-01", 16), null, "2026-03-02T00:00:00.000Z");
    const moved = rescheduleAppointment(later, slot("2026-04-03"), null, "2026-03-03T00:00:00.000Z");
    const [first, last] = ["2026-04-03T00:00:00.000Z", "2026-04-05T00:00:00.000Z"];
    const estimate = { original_estimate: first, current_estimate: last };
    const { markers, updates } = trackOrder(order, evidence([moved]), NOW);
    expect(markers[0]?.expected_at).toEqual(estimate);
    expect(updates).toMatchObject([
      { created_at: "2026-03-03T00:00:00.000Z", impacted_markers: [{ id: 1, estimates: estimate }] },
    ]);
    expect(trackOrder(order, evidence([later]), NOW).updates).toEqual([]);
  });

  test("counts from the local day of the slot", () => {
    // 17:00 in Phoenix is the next day in UTC, and 16:00 is not.
    const evening = newAppointment({ ...about, slot: slot("2026-04-02", 0) }, "scheduled", "2026-03-01T00:00:00.000Z");
    const earlier = rescheduleAppointment(evening, slot("2026-04-01", 23), null, "2026-03-02T00:00:00.000Z");
    const { markers, updates } = trackOrder(order, evidence([earlier]), NOW);
    const expected = "2026-04-03T00:00:00.000Z";
    expect(markers[0]?.expected_at).toEqual({ original_estimate: expected, current_estimate: expected });
    expect(updates).toEqual([]);
    const { id, event_status, start_at, iana_timezone } = evening;
    const booked = applyAppointmentUpdate(order, { id, event_status, start_at, iana_timezone }, NOW);
    expect(booked).toMatchObject(expectedResultDates(order.lab_test, "2026-04-01"));
  });

  test("ends with a cancelled appointment, until another one is scheduled or the sample is taken", () => {
    const cancelled = cancelAppointment(booked, { reasonId: null, note: null }, "2026-03-02T00:00:00.000Z");
    const first = "2026-04-03T00:00:00.000Z";
    const ended = trackOrder(order, evidence([cancelled]), NOW);
    expect(ended.expected_at.final_results).toMatchObject({ current_estimate: null });
    expect(ended.markers[0]?.expected_at).toEqual({ original_estimate: first, current_estimate: null });
    expect(ended.updates).toMatchObject([{ reason: "The appointment was cancelled.", revised_estimate: null }]);
    const next = { ...about, id: "b", slot: slot("2026-04-07") };
    const another = newAppointment(next, "scheduled", "2026-03-04T00:00:00.000Z");
    const rebooked = trackOrder(order, evidence([another, cancelled]), NOW);
    expect(rebooked.markers[0]?.expected_at.current_estimate).toBe("2026-04-09T00:00:00.000Z");
    expect(rebooked.updates.map(({ reason }) => reason)).toEqual([
      "The appointment was cancelled.",
      "Another appointment was scheduled.",
    ]);
    const sampled = trackOrder(through(order, "partial_results"), evidence([cancelled]), NOW);
    expect(sampled.markers[0]?.expected_at.current_estimate).toBe("2026-03-04T00:00:00.000Z");
    expect(sampled.updates.at(-1)).toMatchObject({ reason: "The sample was taken.", source: "lab" });
  });

  test("ends with a cancellation, and what was expected first stays", () => {
    const [tracked] = trackOrder(cancelOrder(order, NOW), evidence([booked]), NOW).markers;
    expect(tracked?.expected_at).toEqual({ original_estimate: "2026-04-03T00:00:00.000Z", current_estimate: null });
  });
});
