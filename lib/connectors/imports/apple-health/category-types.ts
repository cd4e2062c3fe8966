import type { ResourceName } from "../../../domain/timeseries/resources.ts";

/** The timeseries that a HealthKit category maps to. */
export interface CategoryRule {
  readonly resource: ResourceName;
  /** `type` of the samples: constant, or by value of the category. */
  readonly type?: string | Readonly<Record<string, string>>;
  /** Value of a sample: 1, or the minutes from start to end. */
  readonly value: 1 | "minutes";
}

/** Mappings by HKCategoryTypeIdentifier without its prefix; sleep-stage.ts maps sleep. */
export const categoryTypes: ReadonlyMap<string, CategoryRule> = new Map(
  Object.entries({
    AppleStandHour: {
      resource: "stand_hour",
      type: { HKCategoryValueAppleStandHourStood: "stood", HKCategoryValueAppleStandHourIdle: "idle" },
      value: 1,
    },
    MindfulSession: { resource: "mindfulness_minutes", value: "minutes" },
    HandwashingEvent: { resource: "handwashing", value: 1 },
    LowHeartRateEvent: { resource: "heart_rate_alert", type: "low_heart_rate", value: 1 },
    HighHeartRateEvent: { resource: "heart_rate_alert", type: "high_heart_rate", value: 1 },
    IrregularHeartRhythmEvent: { resource: "heart_rate_alert", type: "irregular_rhythm", value: 1 },
    SleepApneaEvent: { resource: "sleep_apnea_alert", value: 1 },
  } satisfies Record<string, CategoryRule>),
);
