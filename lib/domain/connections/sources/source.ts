import * as z from "zod";
import { openEnum } from "../../../contract/open-enum.ts";
import { findProvider, providers } from "../providers/providers.ts";
import { sourceTypes } from "./source-types.ts";

/** Source type in its wire format. */
export const sourceType = openEnum(sourceTypes);

/** Source type in requests: known or new, limited to 64 plain characters because it is part of storage keys. */
export const sourceTypeInput = sourceType.pipe(z.string().regex(/^[\w.-]{1,64}$/, "1 to 64 letters, digits, _ . or -"));

/** Source of data, as summaries, groups of samples and events carry it. */
export const wireSource = z
  .object({
    provider: openEnum(providers.map((provider) => provider.slug)),
    type: sourceType,
    app_id: z.string().nullable().describe("Bundle or package id of the recording app; null if the source named none"),
    device_id: z
      .string()
      .nullable()
      .describe("Id of the recording device, as the source named it; null if it named none"),
    sport: z.string().nullable(),
    workout_id: z.string().nullable(),
    name: z.string().describe("Display name of the provider"),
    slug: z.string().describe("Same as provider"),
    logo: z.string().describe("URL of the provider's icon"),
  })
  .meta({ id: "Source" });
export type WireSource = z.infer<typeof wireSource>;

/** Stored part of a source; the other fields of {@link WireSource} derive from the provider. */
export type SourceOrigin = Pick<WireSource, "provider" | "type"> &
  Partial<Pick<WireSource, "app_id" | "device_id" | "sport" | "workout_id">>;

/** URL of a provider's icon. @param baseUrl URL of the API without a trailing slash. */
export function logoUrl(slug: string, baseUrl: string): string {
  return `${baseUrl}/logos/${slug}.svg`;
}

/** Completes an origin to a wire source. An unknown provider has its slug as name. */
export function toWireSource(origin: SourceOrigin, baseUrl: string): WireSource {
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
