import { parseDateTime } from "../domain/date-range.ts";
import type { AsOf } from "../domain/timeseries/query.ts";
import { asOfDays, versionsKeptMs } from "./deployment.ts";
import { NotPossible, ValidationFailed } from "./errors.ts";
import { ports } from "./ports.ts";

/**
 * The instant (epoch ms) as of which a query asks, or undefined for what stands.
 * @throws NotPossible where the deployment keeps nothing for that, ValidationFailed beyond what it keeps.
 */
export function asOfMs({ as_of }: AsOf): number | undefined {
  if (as_of === undefined) return undefined;
  const days = asOfDays();
  if (days === 0) throw new NotPossible("This deployment keeps no earlier versions, so nothing can be read as_of.");
  const instant = parseDateTime(as_of);
  if (instant === undefined) throw ValidationFailed.at(["query", "as_of"], "Not an ISO 8601 date-time");
  const now = ports().clock.now();
  if (instant > now || instant < now - versionsKeptMs())
    throw ValidationFailed.at(["query", "as_of"], `Not within the last ${days} days`);
  return instant;
}
