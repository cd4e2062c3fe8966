import type * as z from "zod";
import type { Marker } from "./marker.ts";
import { inCents, type markerPage, type markerPricing } from "./wire-markers.ts";

/** Which page of a list is asked for. */
export interface PageQuery {
  readonly page: number;
  readonly size: number;
}

/** The prices of markers by their ids. */
export const pricingOf = (markers: readonly Marker[]): z.input<typeof markerPricing> => ({
  currency: "USD",
  data: Object.fromEntries(markers.map(({ wire, price_cents }) => [String(wire.id), inCents(price_cents)])),
});

/** One page of markers, with their prices when these are asked for. */
export function toMarkerPage(
  markers: readonly Marker[],
  { page, size }: PageQuery,
  withPrices = false,
): z.input<typeof markerPage> {
  const shown = markers.slice((page - 1) * size, page * size);
  return {
    markers: shown.map(({ wire }) => wire),
    total: markers.length,
    page,
    size,
    pages: Math.ceil(markers.length / size),
    pricing: withPrices ? pricingOf(shown) : null,
  };
}
