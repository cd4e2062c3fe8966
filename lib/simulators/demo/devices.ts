import type { sourceTypes } from "../../domain/sources/source-types.ts";

/** The provider of all that the phone has collected. */
export const PHONE_PROVIDER = "apple_health_kit";

/** What devices on the body deliver, in the order in which it is sent. */
const worn = [
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

/** A timeseries, summary or stream that demo data has. */
export type DemoResource = (typeof worn)[number] | "profile" | "body" | "body_weight";

/** A source of demo data. */
export interface DemoDevice {
  readonly sourceType: (typeof sourceTypes)[number];
  readonly manufacturer: string;
  readonly model: string;
  readonly resources: readonly DemoResource[];
  /** Whether it is on the body by day and night; what is only carried misses sport and some of the steps. */
  readonly isWorn: boolean;
}

/** A phone, and the watch that it hears from. */
export const demoDevices: readonly DemoDevice[] = [
  {
    sourceType: "watch",
    manufacturer: "Apple",
    model: "Watch7,5",
    resources: worn,
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

/** The id by which a provider would know the device of a person. */
export function deviceIdOf({ sourceType }: DemoDevice, seed: number): string {
  return `${PHONE_PROVIDER}-${sourceType}-${seed}`;
}
