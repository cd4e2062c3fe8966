import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { providers, sourceId } from "../connections/providers/providers.ts";
import { sourceType, type WireSource } from "../connections/sources/source.ts";

const providerSlug = openEnum(providers.map(({ slug }) => slug));
const appId = z.string().nullable().describe("Bundle or package id of the recording app");
const deviceId = z.string().nullable().describe("Id of the device; see the user's devices");

/** Numeric ids of a summary's provider. A provider has one place among a user's priorities. */
export const sourceNumbers = { priority_id: z.int(), source_id: z.int() };

/** Values of {@link sourceNumbers}. */
export function toSourceNumbers({ provider }: WireSource) {
  const number = sourceId(provider);
  return { priority_id: number, source_id: number };
}

/** Source fields that some kinds of summary have beside `source`. */
export const sourceFields = {
  source_provider: providerSlug,
  source_type: sourceType,
  source_app_id: appId,
  source_device_id: deviceId,
};

/** Values of {@link sourceFields}. */
export function toSourceFields({ provider, type, app_id, device_id }: WireSource) {
  return { source_provider: provider, source_type: type, source_app_id: app_id, source_device_id: device_id };
}
