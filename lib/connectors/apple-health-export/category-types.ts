import type { ResourceName } from "../../domain/timeseries/resources.ts";

/** Which timeseries a category is. */
export interface CategoryRule {
  readonly resource: ResourceName;
  /** `type` of the samples, or the `type` for each value of the category. */
  readonly type?: string | Readonly<Record<string, string>>;
  /** Each record counts as one, or as the minutes from its start to its end. */
  readonly value: 1 | "minutes";
}

/** By HKCategoryTypeIdentifier (without that prefix); sleep is in sleep-stage.ts. */
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
