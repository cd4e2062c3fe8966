import type { ResourceName } from "../../../domain/timeseries/resources.ts";

/** The timeseries that a HealthKit quantity maps to. */
export interface QuantityRule {
  readonly resource: ResourceName;
  /** `type` of the samples. */
  readonly type?: string;
  /** Target unit, if it is not the unit of the resource. */
  readonly unit?: string;
}

const workoutDistance = (type: string): QuantityRule => ({ resource: "workout_distance", type });

/**
 * Mappings by HKQuantityTypeIdentifier without its prefix. `distance` covers everyday movement on foot or by
 * wheelchair. Distances that only workouts measure are `workout_distance`: otherwise they would overwrite the walking
 * distance of the same second. Apple's HRV is SDNN, the unit of `hrv` is RMSSD, so its samples carry the type `sdnn`.
 */
export const quantityTypes: ReadonlyMap<string, QuantityRule> = new Map(
  Object.entries({
    StepCount: { resource: "steps" },
    DistanceWalkingRunning: { resource: "distance" },
    DistanceWheelchair: { resource: "distance", type: "wheelchair" },
    DistanceCycling: workoutDistance("cycling"),
    DistanceSwimming: workoutDistance("swimming"),
    DistanceDownhillSnowSports: workoutDistance("downhill_snow_sports"),
    DistanceCrossCountrySkiing: workoutDistance("cross_country_skiing"),
    DistancePaddleSports: workoutDistance("paddle_sports"),
    DistanceRowing: workoutDistance("rowing"),
    DistanceSkatingSports: workoutDistance("skating_sports"),
    SwimmingStrokeCount: { resource: "workout_swimming_stroke" },
    AppleExerciseTime: { resource: "workout_duration" },
    FlightsClimbed: { resource: "floors_climbed" },
    ActiveEnergyBurned: { resource: "calories_active" },
    BasalEnergyBurned: { resource: "calories_basal" },
    AppleStandTime: { resource: "stand_duration" },
    PushCount: { resource: "wheelchair_push" },
    NumberOfTimesFallen: { resource: "fall" },
    TimeInDaylight: { resource: "daylight_exposure" },
    UVExposure: { resource: "uv_exposure" },
    HeartRate: { resource: "heartrate" },
    HeartRateVariabilitySDNN: { resource: "hrv", type: "sdnn" },
    HeartRateRecoveryOneMinute: { resource: "heart_rate_recovery_one_minute", unit: "bpm" },
    AtrialFibrillationBurden: { resource: "afib_burden" },
    RespiratoryRate: { resource: "respiratory_rate" },
    OxygenSaturation: { resource: "blood_oxygen" },
    VO2Max: { resource: "vo2_max" },
    AppleSleepingBreathingDisturbances: { resource: "sleep_breathing_disturbance" },
    ForcedVitalCapacity: { resource: "forced_vital_capacity" },
    ForcedExpiratoryVolume1: { resource: "forced_expiratory_volume_1" },
    PeakExpiratoryFlowRate: { resource: "peak_expiratory_flow_rate" },
    InhalerUsage: { resource: "inhaler_usage" },
    BodyMass: { resource: "body_weight" },
    BodyFatPercentage: { resource: "body_fat" },
    BodyMassIndex: { resource: "body_mass_index" },
    LeanBodyMass: { resource: "lean_body_mass" },
    WaistCircumference: { resource: "waist_circumference" },
    BodyTemperature: { resource: "body_temperature" },
    AppleSleepingWristTemperature: { resource: "body_temperature" },
    BasalBodyTemperature: { resource: "basal_body_temperature" },
    BloodGlucose: { resource: "glucose" },
    InsulinDelivery: { resource: "insulin_injection" },
    DietaryWater: { resource: "water" },
    DietaryCaffeine: { resource: "caffeine" },
    DietaryCarbohydrates: { resource: "carbohydrates" },
  } satisfies Record<string, QuantityRule>),
);
