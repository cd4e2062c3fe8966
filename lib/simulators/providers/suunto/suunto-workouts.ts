import { type DayWithWorkout, selectAvailableData } from "../synthetic-data/available-data.ts";
import type { SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { MAX_BPM, type SyntheticWorkout, summarizeWorkout } from "../synthetic-data/synthetic-workout.ts";
import { workoutKey } from "./suunto-expected-records.ts";

/** Sports by Suunto's activity id. */
const activityIds: Readonly<Record<SyntheticWorkout["sport"]["slug"], number>> = {
  walking: 0,
  running: 1,
  cycling: 2,
  strength_training: 23,
};

/** The watch that recorded all workouts. */
export const gear = {
  manufacturer: "Suunto",
  name: "Salvador",
  displayName: "Suunto Race",
  serialNumber: "S000000000",
  softwareVersion: "2.40.38",
};

/** Workouts so far, newest first. */
export function listWorkouts(person: SyntheticPerson, nowMs: number): DayWithWorkout[] {
  return selectAvailableData(person.days(0, nowMs), nowMs).workouts.reverse();
}

/** A workout: Unix milliseconds, seconds, metres, m/s and kcal; zeros of what has not been measured. */
export function toWorkout(person: SyntheticPerson, { day, workout }: DayWithWorkout) {
  const totals = summarizeWorkout(workout);
  const isMoving = totals.distanceM > 0;
  const speed = workout.sport.metresPerSecond;
  return {
    workoutId: workout.startMs / 1000,
    workoutKey: workoutKey(person, day),
    activityId: activityIds[workout.sport.slug],
    startTime: workout.startMs,
    stopTime: workout.endMs,
    totalTime: totals.seconds,
    totalDistance: totals.distanceM,
    totalAscent: isMoving ? totals.elevationGainM : 0,
    totalDescent: 0,
    avgSpeed: speed,
    maxSpeed: speed,
    maxAltitude: isMoving ? totals.highestM : 0,
    minAltitude: isMoving ? totals.lowestM : 0,
    energyConsumption: workout.kcal,
    stepCount: 0,
    hrdata: {
      workoutAvgHR: totals.averageBpm,
      workoutMaxHR: totals.maxBpm,
      userMaxHR: MAX_BPM,
      avg: totals.averageBpm,
      hrmax: totals.maxBpm,
      max: MAX_BPM,
    },
    timeOffsetInMinutes: workout.offsetS / 60,
    created: workout.endMs,
    lastModified: workout.endMs,
  };
}
