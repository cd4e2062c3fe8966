import type { Range } from "../../api/series.ts";
import { listSessions, type Sleep, type SleepCycle, type Workout } from "../../api/summaries.ts";
import { useLoad } from "../../api/use-load.ts";
import { type Lane, Lanes, type Segment } from "../../parts/lanes.tsx";
import { formatQuantity } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { addDays, formatInstant } from "../../parts/time.ts";
import { fullSourceName } from "../../plot/source-labels.ts";

const STAGES: Readonly<Record<number, string>> = { 1: "deep", 2: "light", 3: "rem", 4: "awake" };
const HOUR_MS = 3_600_000;
const TICK_HOURS = 3;

interface DaySessionsProps {
  readonly userId: string;
  readonly day: string;
  readonly range: Range;
  readonly zone: string;
}

/** Sleep stages and workouts of a day, one lane for each source. */
export function DaySessions({ userId, day, range, zone }: DaySessionsProps) {
  const load = useLoad(`sessions ${userId} ${day}`, (signal) =>
    listSessions(userId, addDays(day, -1), addDays(day, 1), signal),
  );
  const count = Math.floor((range.to - range.from) / HOUR_MS / TICK_HOURS);
  const ticks = Array.from({ length: count }, (_, index) => {
    const ms = range.from + index * TICK_HOURS * HOUR_MS;
    return [ms, formatInstant(ms, zone).slice(11, 16)] as const;
  });
  return (
    <Section title="Sleep and workouts">
      <Loaded load={load} lines={3}>
        {({ sleeps, cycles, workouts }) => {
          const lanes = [...sleepLanes(sleeps, cycles, range), ...workoutLanes(workouts, range, zone)];
          if (lanes.length === 0)
            return <Empty title="No sleep and no workout">No source has sent any for this day.</Empty>;
          return (
            <>
              <Lanes label="Sleep and workouts" range={range} ticks={ticks} lanes={lanes} />
              <p class="row small quiet">
                {Object.values(STAGES).map((stage) => (
                  <span key={stage} class="row">
                    <span class={`key ${stage}`} /> {stage === "rem" ? "REM" : stage}
                  </span>
                ))}
                <span class="row">
                  <span class="key whole" /> no stages
                </span>
                <span class="row">
                  <span class="key workout" /> workout
                </span>
              </p>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

const isWithin = ({ from, to }: Range, range: Range) => to > range.from && from < range.to;

/** The stages of each sleep; without stages the whole night. */
function sleepLanes(sleeps: readonly Sleep[], cycles: readonly SleepCycle[], range: Range): readonly Lane[] {
  const staged = new Set(cycles.map(({ source, session_start }) => `${source.provider} ${session_start}`));
  const whole = sleeps.filter(({ source, bedtime_start }) => !staged.has(`${source.provider} ${bedtime_start}`));
  const sessions = [
    ...cycles.map((cycle) => ({ source: cycle.source, segments: stagesOf(cycle) })),
    ...whole.map(({ source, bedtime_start, bedtime_stop }) => ({
      source,
      segments: [
        {
          from: Date.parse(bedtime_start),
          to: Date.parse(bedtime_stop),
          tone: "whole",
          title: "a night without stages",
        },
      ],
    })),
  ];
  return toLanes("Sleep", sessions, range);
}

function stagesOf({ session_start, stage_type, stage_start_offset_second, stage_end_offset_second }: SleepCycle) {
  const start = Date.parse(session_start);
  return stage_type.map((type, index): Segment => {
    const from = start + (stage_start_offset_second[index] ?? 0) * 1000;
    const to = start + (stage_end_offset_second[index] ?? 0) * 1000;
    const stage = STAGES[type] ?? "light";
    return { from, to, tone: stage, title: `${stage}, ${Math.round((to - from) / 60_000)} min` };
  });
}

function workoutLanes(workouts: readonly Workout[], range: Range, zone: string): readonly Lane[] {
  const clock = (time: string) => formatInstant(Date.parse(time), zone).slice(11, 16);
  const toSegment = ({ time_start, time_end, title, sport, distance, calories }: Workout): Segment => ({
    from: Date.parse(time_start),
    to: Date.parse(time_end),
    tone: "workout",
    title: `${title ?? sport?.name ?? "Workout"}, ${clock(time_start)} to ${clock(time_end)}, ${formatQuantity(distance, "m")}, ${formatQuantity(calories, "kcal")}`,
  });
  const own = workouts.map((workout) => ({ source: workout.source, segments: [toSegment(workout)] }));
  return toLanes("Workouts", own, range);
}

interface Session {
  readonly source: SleepCycle["source"];
  readonly segments: readonly Segment[];
}

/** One lane for each source that has a stretch in the range. */
function toLanes(kind: string, sessions: readonly Session[], range: Range): readonly Lane[] {
  const bySource = Map.groupBy(sessions, ({ source }) => fullSourceName({ ...source, device_id: null, app_id: null }));
  return [...bySource].flatMap(([name, own]) => {
    const segments = own.flatMap((session) => session.segments).filter((segment) => isWithin(segment, range));
    return segments.length === 0 ? [] : [{ key: `${kind} ${name}`, label: `${kind}, ${name}`, segments }];
  });
}
