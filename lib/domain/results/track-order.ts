import type { Appointment } from "../appointments/appointment.ts";
import type { Order } from "../orders/lifecycle/order-transitions.ts";
import { dateToDay, dayToDate } from "../shared/local-day.ts";
import { type CollectionDay, findCollection, listCollectionDays } from "./collection-time.ts";
import { isFinalResult, observationKey, type ResultRecord } from "./result-record.ts";
import type { markerTrackingStatuses, OrderTracking } from "./wire-order-tracking.ts";

type MarkerTracking = OrderTracking["markers"][number];
type Estimate = MarkerTracking["expected_at"];

/** Marker of an order with the results that its laboratory reports for it. */
export interface TrackedMarker {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly provider_id: string | null;
  readonly common_tat_days: number | null;
  /** Whether the laboratory adds the marker only because of another result. */
  readonly isReflex: boolean;
  readonly expected: readonly { readonly id: number; readonly name: string; readonly slug: string; loinc: string }[];
}

/** What is known about an order. */
export interface OrderEvidence {
  readonly markers: readonly TrackedMarker[];
  /** Result that the team may see. */
  readonly record: ResultRecord | undefined;
  readonly appointments: readonly Appointment[];
}

/** Describes the progress of an order towards its results. @param now ISO 8601. */
export function trackOrder(order: Order, evidence: OrderEvidence, now: string): OrderTracking {
  const { record, appointments } = evidence;
  const days = listCollectionDays(order, appointments);
  const isAwaited = order.status !== "cancelled" && order.status !== "failed";
  const estimate = (tatDays: number | null, last = days.at(-1)): Estimate => ({
    original_estimate: resultAt(days[0]?.day, tatDays),
    current_estimate: isAwaited ? resultAt(last?.day, tatDays) : null,
  });
  const tracked = evidence.markers.map((marker) => ({ marker, results: reportedResults(marker, record) }));
  const shown = tracked.filter(({ marker, results }) => !marker.isReflex || results.length > 0);
  return {
    order_id: order.id,
    expected_at: { final_results: estimate(order.lab_test.common_tat_days) },
    collected_at: findCollection(order, record, appointments, now),
    markers: shown.map(({ marker: { id, name, slug, provider_id, common_tat_days, expected }, results }) => ({
      ...{ id, name, slug, provider_id, results },
      status: markerStatus(expected.length, results.length, record),
      expected_at: estimate(common_tat_days),
    })),
    updates: days.slice(1).map((revised, index) => ({
      created_at: revised.at,
      reason: revisionReason(days[index], revised),
      revised_estimate: resultAt(revised.day, order.lab_test.common_tat_days),
      impacted_markers: shown.map(({ marker: { id, name, provider_id, common_tat_days } }) => ({
        ...{ id, name, provider_id },
        estimates: {
          original_estimate: resultAt(days[0]?.day, common_tat_days),
          current_estimate: resultAt(revised.day, common_tat_days),
        },
      })),
      source: revised.source,
    })),
  };
}

function revisionReason(before: CollectionDay | undefined, { day, source }: CollectionDay): string {
  if (source === "lab") return "The sample was taken.";
  if (day === null) return "The appointment was cancelled.";
  return before?.day === null ? "Another appointment was scheduled." : "The appointment was moved to another day.";
}

/** Midnight UTC of the day on which a result is usual; null without a day or a turnaround time. */
function resultAt(day: string | null | undefined, tatDays: number | null): string | null {
  return typeof day !== "string" || tatDays === null ? null : `${dayToDate(dateToDay(day) + tatDays)}T00:00:00.000Z`;
}

/** Lists the results of a marker that the laboratory has reported. */
function reportedResults({ expected, provider_id }: TrackedMarker, record: ResultRecord | undefined) {
  const values = new Map(record?.observations.map((value) => [observationKey(value), value]));
  return expected.flatMap(({ id, name, slug, loinc }): MarkerTracking["results"] => {
    const value = values.get(loinc);
    if (!value || value.status === "cancelled") return [];
    return [{ id, name, slug, provider_id: value.test_code ?? provider_id }];
  });
}

function markerStatus(
  expected: number,
  reported: number,
  record: ResultRecord | undefined,
): (typeof markerTrackingStatuses)[number] {
  const isFinal = record !== undefined && isFinalResult(record);
  if (reported === expected && (isFinal || reported > 0)) return "resulted";
  return isFinal ? "incomplete" : "pending";
}
