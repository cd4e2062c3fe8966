import { DAY_MS } from "../../../domain/shared/durations.ts";
import { parseInstant } from "../../../domain/shared/instant.ts";
import type { SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { jsonMemberName } from "./google-data-type.ts";
import { googleDataTypes } from "./google-data-types.ts";
import { googleError } from "./google-error.ts";

const MAX_DAYS = 90;
const MAX_HEART_RATE_DAYS = 14;

/** Aggregates points in windows of equal length; omits windows without points. */
export function rollUpReply(
  provider: SimulatedProvider,
  name: string,
  body: Readonly<Record<string, unknown>>,
  account: string,
): SimulatedReply {
  const type = googleDataTypes[name];
  const windowMs = 1_000 * Number(/^(\d+)s$/.exec(String(body.windowSize))?.[1] ?? Number.NaN);
  const [from, until] = ["startTime", "endTime"].map(
    (field) => parseInstant(Reflect.get(Object(body.range), field))?.ms,
  );
  const refused = (message: string) => googleError(400, "INVALID_ARGUMENT", message);
  if (type?.rollUp === undefined) return refused("There is no roll-up of this data type.");
  if (from === undefined || until === undefined || until <= from || !(windowMs > 0)) return refused("Invalid range.");
  const most = name === "heart-rate" ? MAX_HEART_RATE_DAYS : MAX_DAYS;
  if (until - from > most * DAY_MS) return refused(`The range is longer than ${most} days.`);
  const person = provider.person(account);
  const points = type.listPoints(person, person.days(from, until), provider.now());
  const windows = Array.from({ length: Math.ceil((until - from) / windowMs) }, (_, index) => from + index * windowMs);
  const rollupDataPoints = windows.flatMap((startMs) => {
    const endMs = Math.min(until, startMs + windowMs);
    const inside = points.filter((point) => point.startMs >= startMs && point.startMs < endMs);
    if (inside.length === 0) return [];
    const times = { startTime: new Date(startMs).toISOString(), endTime: new Date(endMs).toISOString() };
    const member = jsonMemberName(name);
    return [{ ...times, [member]: type.rollUp?.(inside) }];
  });
  return { status: 200, body: { rollupDataPoints: provider.applyDuplicates(rollupDataPoints) } };
}
