import type { sourceTypes } from "../../domain/sources/source-types.ts";

/** The providers of which demo connections can be made (published interface, Demo connection). */
export const demoProviders = ["apple_health_kit", "fitbit", "freestyle_libre", "oura"] as const;
export type DemoProvider = (typeof demoProviders)[number];

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
export type DemoResource = (typeof worn)[number] | "profile" | "body" | "body_weight" | "glucose";

/** A source of demo data. */
export interface DemoDevice {
  readonly provider: DemoProvider;
  readonly sourceType: (typeof sourceTypes)[number];
  readonly manufacturer: string;
  readonly model: string;
  readonly resources: readonly DemoResource[];
  /** Whether it is on the body by day and night; what is only carried misses sport and some of the steps. */
  readonly isWorn: boolean;
}

/** The sources of every provider. */
export const demoDevices: readonly DemoDevice[] = [
  {
    provider: "apple_health_kit",
    sourceType: "watch",
    manufacturer: "Apple",
    model: "Watch7,5",
    resources: worn,
    isWorn: true,
  },
  {
    provider: "apple_health_kit",
    sourceType: "phone",
    manufacturer: "Apple",
    model: "iPhone16,2",
    resources: ["devices", "profile", "body", "activity", "steps", "distance", "body_weight"],
    isWorn: false,
  },
  {
    provider: "fitbit",
    sourceType: "watch",
    manufacturer: "Fitbit",
    model: "Sense 2",
    resources: ["profile", "body", ...worn, "body_weight"],
    isWorn: true,
  },
  {
    provider: "freestyle_libre",
    sourceType: "automatic",
    manufacturer: "Abbott",
    model: "FreeStyle Libre 3",
    resources: ["devices", "glucose"],
    isWorn: true,
  },
  {
    provider: "oura",
    sourceType: "ring",
    manufacturer: "Oura",
    model: "Ring 4",
    resources: ["profile", ...worn],
    isWorn: true,
  },
];

/** The id by which a provider would know the device of a person. */
export function deviceIdOf({ provider, sourceType }: DemoDevice, seed: number): string {
  return `${provider}-${sourceType}-${seed}`;
}
