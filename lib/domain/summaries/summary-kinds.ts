import { activity } from "./activity.ts";
import { body } from "./body.ts";
import { profile } from "./profile.ts";
import { sleep } from "./sleep.ts";
import type { SummaryKind } from "./summary-kind.ts";
import { workouts } from "./workouts.ts";

/** The kinds of summary that can be taken in and answered. */
export const summaryKinds: readonly SummaryKind[] = [activity, sleep, workouts, body, profile];

/** The kind with this name in REST paths, or undefined. */
export function findSummaryKind(name: string): SummaryKind | undefined {
  return summaryKinds.find((kind) => kind.name === name);
}
