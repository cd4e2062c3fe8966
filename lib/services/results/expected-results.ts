import type { Catalogue } from "../../domain/lab-tests/catalogue.ts";
import type { Marker } from "../../domain/lab-tests/marker.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { ExpectedResult } from "../../domain/results/missing-results.ts";
import type { SimulatedMarker } from "../../domain/results/simulated-report.ts";
import type { TrackedMarker } from "../../domain/results/track-order.ts";
import { loadLabCatalogue } from "../lab-tests/lab-catalogue.ts";

/** Ordered markers, and reflex markers that follow from their results. */
interface OrderedMarkers {
  readonly markers: readonly Marker[];
  readonly reflex: readonly Marker[];
}

/**
 * Splits the markers of a lab test. `toWireLabTest` lists reflex markers after ordered markers without a separator; the
 * reflex markers start where all following markers are reflexes of the preceding ones.
 */
function splitMarkers(order: Order, catalogue: Catalogue): OrderedMarkers {
  const all = (order.lab_test.markers ?? []).flatMap(({ id }) => catalogue.findById(id) ?? []);
  for (let count = 1; count < all.length; count++) {
    const [markers, rest] = [all.slice(0, count), all.slice(count)];
    const reflex = catalogue.reflexMarkersOf(markers);
    if (reflex.length === rest.length && rest.every((marker) => reflex.includes(marker))) return { markers, reflex };
  }
  return { markers: all, reflex: [] };
}

/** Lists the expected results of an order, each LOINC code once. */
export async function listExpectedResults(order: Order): Promise<ExpectedResult[]> {
  const { markers, reflex } = splitMarkers(order, await loadLabCatalogue());
  const byLoinc = new Map<string, ExpectedResult>();
  for (const { wire } of [...markers, ...reflex]) {
    const source = { marker_id: wire.id, name: wire.name, slug: wire.slug, provider_id: wire.provider_id };
    for (const { name, slug, required, loinc } of wire.expected_results) {
      if (byLoinc.has(loinc.code)) continue;
      const isRequired = required && !reflex.some((marker) => marker.wire === wire);
      byLoinc.set(loinc.code, { name, slug, loinc: loinc.code, loinc_slug: loinc.slug, required: isRequired, source });
    }
  }
  return [...byLoinc.values()];
}

/** Lists the markers of an order with all results that its laboratory reports for each. */
export async function listTrackedMarkers(order: Order): Promise<TrackedMarker[]> {
  const { markers, reflex } = splitMarkers(order, await loadLabCatalogue());
  const track = ({ wire }: Marker, isReflex: boolean): TrackedMarker => ({
    id: wire.id,
    name: wire.name,
    slug: wire.slug,
    provider_id: wire.provider_id,
    common_tat_days: wire.common_tat_days,
    isReflex,
    expected: wire.expected_results.map(({ id, name, slug, loinc }) => ({ id, name, slug, loinc: loinc.code })),
  });
  return [...markers.map((marker) => track(marker, false)), ...reflex.map((marker) => track(marker, true))];
}

/** Lists the results that a simulated laboratory measures for an order, each LOINC code once. */
export async function listSimulatedMarkers(order: Order): Promise<SimulatedMarker[]> {
  const { markers } = splitMarkers(order, await loadLabCatalogue());
  const measured = markers.flatMap(({ wire: { provider_id, expected_results } }) =>
    expected_results.map(({ name, loinc }) => ({
      ...{ test_code: provider_id, name, loinc: loinc.code, unit: loinc.unit },
    })),
  );
  return [...new Map(measured.map((one) => [one.loinc, one])).values()];
}
