import { formatInstant } from "../parts/time.ts";

const DAY_MS = 86_400_000;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * Labels of the ticks of a time axis: clock times, with the date at the first one of each day; dates, with the year at
 * the first one of each year.
 * @param stepMs distance of the ticks.
 */
export function timeLabels(ticks: readonly number[], zone: string, stepMs: number): string[] {
  let before = "";
  return ticks.map((tick) => {
    const [date = "", clock = ""] = formatInstant(tick, zone).split(" ");
    const [year = "", month = "", day = ""] = date.split("-");
    const dayName = `${Number(day)} ${MONTHS[Number(month) - 1]}`;
    const isDates = stepMs >= DAY_MS;
    const context = isDates ? year : dayName;
    const label = isDates ? dayName : clock.slice(0, stepMs >= 60_000 ? 5 : 8);
    const isNew = context !== before;
    before = context;
    return isNew ? `${label}\n${context}` : label;
  });
}
