import * as z from "zod";
import { sourceTypes } from "../sources/source-types.ts";
import { providers } from "./providers.ts";

type SourceType = (typeof sourceTypes)[number];

const phoneProviders = providers.filter(({ authType }) => authType === "sdk");

/** Slug of a phone provider, whose data an app on the user's phone reads. */
export const phoneProvider = z.enum(phoneProviders.map(({ slug }) => slug));

/** Whether an app on the user's phone reads a provider. */
export const isPhoneProvider = (slug: string): boolean => phoneProvider.safeParse(slug).success;

/** Slug of a provider without a login: of the phone, or for values that the team's own app collects. */
export const manualProvider = z.enum([...phoneProvider.options, "manual"]);

/** Source types of a health store on the phone: all types except `lab`. */
const collected = sourceTypes.filter((type) => type !== "lab");

/** Source types of Bluetooth devices, besides `unknown`. */
const deviceTypes: Readonly<Record<string, readonly SourceType[]>> = {
  freestyle_libre_ble: ["automatic", "manual_scan"],
  beurer_ble: ["cuff"],
  omron_ble: ["cuff", "scale"],
  onetouch_ble: ["fingerprick"],
  accuchek_ble: ["fingerprick"],
  contour_ble: ["fingerprick"],
};

const sourceTypesByProvider = new Map(
  phoneProviders.map(({ slug, sourceType }) => [
    slug,
    sourceType === "app" ? collected : ["unknown", ...(deviceTypes[slug] ?? [])],
  ]),
);

/** Whether a phone provider may deliver data of a source type; false for any other provider. */
export function isPhoneSource(provider: string, sourceType: string): boolean {
  const types: readonly string[] = sourceTypesByProvider.get(provider) ?? [];
  return types.includes(sourceType);
}

/** Filters phone providers; undefined, which stands for any, stays undefined. */
export function filterPhoneProviders(slugs: readonly string[] | undefined): string[] | undefined {
  return slugs?.filter((slug) => sourceTypesByProvider.has(slug));
}
