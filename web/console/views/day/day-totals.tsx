import { queryDays } from "../../api/aggregate.ts";
import { useLoad } from "../../api/use-load.ts";
import { Link } from "../../parts/link.tsx";
import { formatMeasured } from "../../parts/measured.ts";
import { findMeasure } from "../../parts/measures.ts";
import { Loaded } from "../../parts/states.tsx";

const SHOWN = ["steps", "distance", "calories_active", "sleep", "heartrate", "glucose"].map(findMeasure);

/** The totals of a day. Each leads to its explanation. */
export function DayTotals({ userId, day }: { readonly userId: string; readonly day: string }) {
  const load = useLoad(`totals ${userId} ${day}`, (signal) =>
    Promise.all(
      SHOWN.map(async (measure) => {
        const [group] = await queryDays(userId, { ...measure, day, days: 1, merge: "team" }, false, signal);
        return { measure, value: group?.value };
      }),
    ),
  );
  return (
    <Loaded load={load} lines={2}>
      {(totals) => (
        <div class="totals">
          {totals.map(({ measure, value }) => (
            <Link key={measure.name} class="total" to={`/users/${userId}/why?measure=${measure.name}&day=${day}`}>
              <span class="quiet small">{measure.label}</span>
              <strong>{formatMeasured(value, measure)}</strong>
              <span class="small why">Why this number</span>
            </Link>
          ))}
        </div>
      )}
    </Loaded>
  );
}
