import type * as z from "zod";
import type { Marker } from "./marker.ts";
import { type markerPage, type markerPricing, toWireAmount } from "./wire-markers.ts";

/** Requested page of a list; `page` starts at 1. */
export interface MarkerPageQuery {
  readonly page: number;
  readonly size: number;
}

/** Prices of markers by id. */
export const toMarkerPricing = (markers: readonly Marker[]): z.input<typeof markerPricing> => ({
  currency: "USD",
  data: Object.fromEntries(markers.map(({ wire, price_cents }) => [String(wire.id), toWireAmount(price_cents)])),
});

/** Builds one page of markers, with prices if `withPrices` is set. */
export function toMarkerPage(
  markers: readonly Marker[],
  { page, size }: MarkerPageQuery,
  withPrices = false,
): z.input<typeof markerPage> {
  const shown = markers.slice((page - 1) * size, page * size);
  return {
    markers: shown.map(({ wire }) => wire),
    total: markers.length,
    page,
    size,
    pages: Math.ceil(markers.length / size),
    pricing: withPrices ? toMarkerPricing(shown) : null,
  };
}
