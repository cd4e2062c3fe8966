import { parseInstant } from "../../../domain/timeseries/instant.ts";
import { DAY_MS } from "../../demo/zone-days.ts";
import type { ProviderDesk } from "../frame/provider-desk.ts";
import type { SimulatedReply } from "../frame/simulated-http.ts";
import { googleError } from "./google-error.ts";
import { googleTypes } from "./google-points.ts";
import { memberName } from "./google-shapes.ts";

const MOST_DAYS = 90;
const MOST_DAYS_OF_BEATS = 14;

/** Aggregates points in windows of equal length; omits windows without points. */
export function rollUp(
  desk: ProviderDesk,
  name: string,
  body: Readonly<Record<string, unknown>>,
  account: string,
): SimulatedReply {
  const type = googleTypes[name];
  const windowMs = 1_000 * Number(/^(\d+)s$/.exec(String(body.windowSize))?.[1] ?? Number.NaN);
  const [from, until] = ["startTime", "endTime"].map(
    (field) => parseInstant(Reflect.get(Object(body.range), field))?.ms,
  );
  const refused = (message: string) => googleError(400, "INVALID_ARGUMENT", message);
  if (type?.rollUp === undefined) return refused("There is no roll-up of this data type.");
  if (from === undefined || until === undefined || until <= from || !(windowMs > 0)) return refused("Invalid range.");
  const most = name === "heart-rate" ? MOST_DAYS_OF_BEATS : MOST_DAYS;
  if (until - from > most * DAY_MS) return refused(`The range is longer than ${most} days.`);
  const plan = desk.plan(account);
  const points = type.pointsOf(plan, plan.days(from, until), desk.now());
  const windows = Array.from({ length: Math.ceil((until - from) / windowMs) }, (_, index) => from + index * windowMs);
  const rollupDataPoints = windows.flatMap((startMs) => {
    const endMs = Math.min(until, startMs + windowMs);
    const inside = points.filter((point) => point.startMs >= startMs && point.startMs < endMs);
    if (inside.length === 0) return [];
    const times = { startTime: new Date(startMs).toISOString(), endTime: new Date(endMs).toISOString() };
    const member = memberName(name);
    return [{ ...times, [member]: type.rollUp?.(inside) }];
  });
  return { status: 200, body: { rollupDataPoints: desk.listed(rollupDataPoints) } };
}
