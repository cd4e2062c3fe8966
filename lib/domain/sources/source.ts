import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { findProvider, providers } from "./providers.ts";
import { sourceTypes } from "./source-types.ts";

/** A source type as the wire writes it. */
export const sourceType = openEnum(sourceTypes);

/** A source type as a sender may name it: known or new, but short and plain, because it is part of storage keys. */
export const givenSourceType = sourceType.pipe(z.string().regex(/^[\w.-]{1,64}$/, "1 to 64 letters, digits, _ . or -"));

/** Where data comes from, as every summary, group of samples and event tells it. */
export const wireSource = z
  .object({
    provider: openEnum(providers.map((provider) => provider.slug)),
    type: sourceType,
    app_id: z.string().nullable().describe("Bundle or package id of the app that recorded it"),
    device_id: z.string().nullable().describe("Id of the device, see the user's devices"),
    sport: z.string().nullable(),
    workout_id: z.string().nullable(),
    name: z.string().describe("Name of the provider, for people"),
    slug: z.string().describe("Same as provider"),
    logo: z.string().describe("URL of the provider's icon"),
  })
  .meta({ id: "Source" });
export type WireSource = z.infer<typeof wireSource>;

/** What is stored about where data comes from; the rest of {@link WireSource} follows from the provider. */
export type Origin = Pick<WireSource, "provider" | "type"> &
  Partial<Pick<WireSource, "app_id" | "device_id" | "sport" | "workout_id">>;

/** URL of a provider's icon; `baseUrl` is the address of the API without a slash at its end. */
export function logoUrl(slug: string, baseUrl: string): string {
  return `${baseUrl}/logos/${slug}.svg`;
}

/** Completes an origin to the wire's `source`; a provider that is not in the list shows its slug as name. */
export function toWireSource(origin: Origin, baseUrl: string): WireSource {
  return {
    app_id: null,
    device_id: null,
    sport: null,
    workout_id: null,
    name: findProvider(origin.provider)?.name ?? origin.provider,
    slug: origin.provider,
    logo: logoUrl(origin.provider, baseUrl),
    ...origin,
  };
}
