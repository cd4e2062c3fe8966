import type { sourceTypes } from "../../domain/connections/sources/source-types.ts";
import { stableUuid } from "../providers/base/stable-ids.ts";

/** The provider of all demo data. */
export const PHONE_PROVIDER = "apple_health_kit";

/** Resources of wearable devices, in the order of sending. */
const wearableResources = [
  "devices",
  "activity",
  "sleep",
  "workouts",
  "sleep_stream",
  "workout_stream",
  "heartrate",
  "steps",
  "distance",
  "calories_active",
  "calories_basal",
  "hrv",
  "respiratory_rate",
  "blood_oxygen",
  "hypnogram",
] as const;

/** A timeseries, summary or stream of the demo data. */
export type DemoResource = (typeof wearableResources)[number] | "profile" | "body" | "body_weight";

/** A simulated device. */
export interface DemoDevice {
  readonly sourceType: (typeof sourceTypes)[number];
  readonly manufacturer: string;
  readonly model: string;
  readonly resources: readonly DemoResource[];
  /** True if worn day and night; false if carried, which misses workouts and some steps. */
  readonly isWorn: boolean;
}

/** A watch and its paired phone. */
export const demoDevices: readonly DemoDevice[] = [
  {
    sourceType: "watch",
    manufacturer: "Apple",
    model: "Watch7,5",
    resources: wearableResources,
    isWorn: true,
  },
  {
    sourceType: "phone",
    manufacturer: "Apple",
    model: "iPhone16,2",
    resources: ["devices", "profile", "body", "activity", "steps", "distance", "body_weight"],
    isWorn: false,
  },
];

/** The device id, unique per person: a UUID, as the published schema of sources has it. */
export function demoDeviceId({ sourceType }: DemoDevice, seed: number): string {
  return stableUuid(`${PHONE_PROVIDER}-${sourceType}-${seed}`);
}
