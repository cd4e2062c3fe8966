import { activity } from "./activity.ts";
import { body } from "./body.ts";
import { devices } from "./devices.ts";
import { electrocardiogram } from "./electrocardiogram.ts";
import { meal } from "./meal.ts";
import { menstrualCycle } from "./menstrual-cycle.ts";
import { profile } from "./profile.ts";
import { sleep } from "./sleep.ts";
import { sleepCycle } from "./sleep-cycle.ts";
import type { SummaryKind } from "./summary-kind.ts";
import { workouts } from "./workouts.ts";

/** The supported kinds of summary. */
export const summaryKinds: readonly SummaryKind[] = [
  activity,
  sleep,
  workouts,
  body,
  profile,
  meal,
  menstrualCycle,
  electrocardiogram,
  sleepCycle,
  devices,
];

/** Finds a kind by its name in REST paths. */
export function findSummaryKind(name: string): SummaryKind | undefined {
  return summaryKinds.find((kind) => kind.name === name);
}
