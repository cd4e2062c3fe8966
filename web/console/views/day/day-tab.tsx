import { navigate } from "../../app/route.ts";
import { useZone } from "../../parts/instant.tsx";
import { addDays, instantOf, isDate } from "../../parts/time.ts";
import type { UserTabProps } from "../user/user-tab.ts";
import { DayCurve } from "./day-curve.tsx";
import { DaySessions } from "./day-sessions.tsx";
import { DayTotals } from "./day-totals.tsx";
import { lastDay } from "./last-day.ts";
import { NoSuchDay } from "./no-such-day.tsx";

const EVENING_MS = 6 * 3_600_000;
const CURVES = ["heartrate", "glucose", "steps"] as const;

/** One day of a user: totals, sleep and workouts, and the curves of the day with the night before it. */
export function DayTab({ user, rest }: UserTabProps) {
  const { user_id } = user;
  const zone = useZone();
  const day = rest[0] ?? lastDay(user);
  if (!isDate(day)) return <NoSuchDay to={`/users/${user_id}/day`} />;
  const go = (date: string) => navigate(`/users/${user_id}/day/${date}`, "replace");
  const range = { from: instantOf(day, zone) - EVENING_MS, to: instantOf(addDays(day, 1), zone) };
  return (
    <>
      <div class="row">
        <button type="button" aria-label="Day before" onClick={() => go(addDays(day, -1))}>
          ←
        </button>
        <input
          type="date"
          aria-label="Day"
          value={day}
          onChange={(event) => event.currentTarget.value && go(event.currentTarget.value)}
        />
        <button type="button" aria-label="Day after" onClick={() => go(addDays(day, 1))}>
          →
        </button>
        <span class="quiet small">With the evening before. Totals are of the day at the user's place.</span>
      </div>
      <DayTotals userId={user_id} day={day} />
      <DaySessions userId={user_id} day={day} range={range} zone={zone} />
      {CURVES.map((resource) => (
        <DayCurve key={resource} userId={user_id} resource={resource} range={range} zone={zone} />
      ))}
    </>
  );
}
