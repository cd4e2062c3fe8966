import type { sourceTypes } from "../../domain/sources/source-types.ts";

/** The providers of which demo connections can be made (published interface, Demo connection). */
export const demoProviders = ["apple_health_kit", "fitbit", "freestyle_libre", "oura"] as const;
export type DemoProvider = (typeof demoProviders)[number];

/** What devices on the body deliver, in the order in which it is sent. */
const worn = [
  "activity",
  "sleep",
  "workouts",
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

/** A timeseries or summary that demo data has. */
export type DemoResource = (typeof worn)[number] | "profile" | "body" | "body_weight" | "glucose";

/** A source of demo data. */
export interface DemoDevice {
  readonly provider: DemoProvider;
  readonly sourceType: (typeof sourceTypes)[number];
  readonly resources: readonly DemoResource[];
  /** Whether it is on the body by day and night; what is only carried misses sport and some of the steps. */
  readonly isWorn: boolean;
}

/** The sources of every provider. */
export const demoDevices: readonly DemoDevice[] = [
  { provider: "apple_health_kit", sourceType: "watch", resources: worn, isWorn: true },
  {
    provider: "apple_health_kit",
    sourceType: "phone",
    resources: ["profile", "body", "activity", "steps", "distance", "body_weight"],
    isWorn: false,
  },
  { provider: "fitbit", sourceType: "watch", resources: ["profile", "body", ...worn, "body_weight"], isWorn: true },
  { provider: "freestyle_libre", sourceType: "automatic", resources: ["glucose"], isWorn: true },
  { provider: "oura", sourceType: "ring", resources: ["profile", ...worn], isWorn: true },
];
