import * as z from "zod";
import { providers } from "./providers.ts";
import { sourceTypes } from "./source-types.ts";

type SourceType = (typeof sourceTypes)[number];

const phoneProviders = providers.filter(({ authType }) => authType === "sdk");

/** The slug of a provider whose data an app on the user's phone reads. */
export const phoneProvider = z.enum(phoneProviders.map(({ slug }) => slug));

/** What a store of health data on the phone collects: all but what a laboratory reports. */
const collected = sourceTypes.filter((type) => type !== "lab");

/** What each Bluetooth device is, besides unknown. */
const deviceTypes: Readonly<Record<string, readonly SourceType[]>> = {
  freestyle_libre_ble: ["automatic", "manual_scan"],
  beurer_ble: ["cuff"],
  omron_ble: ["cuff", "scale"],
  onetouch_ble: ["fingerprick"],
  accuchek_ble: ["fingerprick"],
  contour_ble: ["fingerprick"],
};

const typesOf = new Map(
  phoneProviders.map(({ slug, sourceType }) => [
    slug,
    sourceType === "app" ? collected : ["unknown", ...(deviceTypes[slug] ?? [])],
  ]),
);

/** Whether data of a source type may come from a provider on the phone; never for a provider of another kind. */
export function isPhoneSource(provider: string, sourceType: string): boolean {
  const types: readonly string[] = typesOf.get(provider) ?? [];
  return types.includes(sourceType);
}

/** Those of these providers whose data is on the phone; undefined, which stands for any, stays undefined. */
export function phoneProvidersOf(slugs: readonly string[] | undefined): string[] | undefined {
  return slugs?.filter((slug) => typesOf.has(slug));
}
