import { MINUTE_MS } from "../../../domain/shared/durations.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";

/** Minutes from the end of the night to each measurement of the morning. */
const morning = { weight: 10, bloodPressure: 20, bloodOxygen: 25 } as const;

/** Local times of the finger pricks, minutes of the day. */
const PRICKS = [12 * 60, 18 * 60];

/** The instants of a day's measurements of the morning, epoch ms. */
export function morningOf({ sleep }: SyntheticDay) {
  return {
    weightMs: sleep.endMs + morning.weight * MINUTE_MS,
    bloodPressureMs: sleep.endMs + morning.bloodPressure * MINUTE_MS,
    bloodOxygenMs: sleep.endMs + morning.bloodOxygen * MINUTE_MS,
  };
}

/** The glucose readings of a day, mg/dL. */
export function listPricks(person: SyntheticPerson, day: SyntheticDay) {
  const instants = PRICKS.map((minute) => person.zone.instantAt(day.day, minute));
  return person.glucose(day).filter(({ atMs }) => instants.includes(atMs));
}
