import { queryOf, request } from "./request.ts";
import type { Source } from "./series.ts";

/** The stages of one sleep. Offsets are seconds after its start. */
export interface SleepCycle {
  readonly id: string;
  readonly session_start: string;
  readonly session_end: string;
  readonly stage_start_offset_second: readonly number[];
  readonly stage_end_offset_second: readonly number[];
  readonly stage_type: readonly number[];
  readonly source: Source;
}

/** A sleep, as far as the day shows it. */
export interface Sleep {
  readonly id: string;
  readonly bedtime_start: string;
  readonly bedtime_stop: string;
  readonly source: Source;
}

/** A workout, as far as the day shows it. */
export interface Workout {
  readonly id: string;
  readonly title: string | null;
  readonly sport: { readonly name: string } | null;
  readonly time_start: string;
  readonly time_end: string;
  readonly distance: number | null;
  readonly calories: number | null;
  readonly average_hr: number | null;
  readonly source: Source;
}

/** Lists the records of a summary over some days. The response names the list after the summary. */
async function listSummaries<Summary>(name: string, userId: string, from: string, to: string, signal: AbortSignal) {
  const path = `/v2/summary/${name}/${userId}${queryOf({ start_date: from, end_date: to })}`;
  return (await request<Readonly<Record<string, readonly Summary[]>>>(path, { signal }))[name] ?? [];
}

/** What a user did from one day to another. */
export async function listSessions(userId: string, from: string, to: string, signal: AbortSignal) {
  const [sleeps, cycles, workouts] = await Promise.all([
    listSummaries<Sleep>("sleep", userId, from, to, signal),
    listSummaries<SleepCycle>("sleep_cycle", userId, from, to, signal),
    listSummaries<Workout>("workouts", userId, from, to, signal),
  ]);
  return { sleeps, cycles, workouts };
}
