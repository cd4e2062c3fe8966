/** Strava's names of sports that differ from the unified model. Intervals.icu uses them too. */
export const stravaSports: Readonly<Record<string, string>> = {
  Run: "running",
  TrailRun: "trail_running",
  VirtualRun: "running",
  Ride: "cycling",
  VirtualRide: "cycling",
  EBikeRide: "cycling",
  MountainBikeRide: "mountain_biking",
  GravelRide: "gravel_cycling",
  Walk: "walking",
  Hike: "hiking",
  Swim: "swimming",
  WeightTraining: "strength_training",
};
