import { parseDateTime } from "../../domain/shared/date-range.ts";
import type { AsOfQuery } from "../../domain/timeseries/range-query.ts";
import { asOfDays, versionRetentionMs } from "../../runtime/deployment.ts";
import { NotPossible, ValidationFailed } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";

/**
 * Parses the `as_of` parameter of a query.
 * @returns epoch milliseconds; undefined for the current state.
 * @throws NotPossible if the deployment stores no earlier versions; ValidationFailed for an instant out of range.
 */
export function parseAsOf({ as_of }: AsOfQuery): number | undefined {
  if (as_of === undefined) return undefined;
  const days = asOfDays();
  if (days === 0) throw new NotPossible("This deployment stores no earlier versions, so it does not support as_of.");
  const instant = parseDateTime(as_of);
  if (instant === undefined) throw ValidationFailed.at(["query", "as_of"], "Not an ISO 8601 date-time");
  const now = ports().clock.now();
  if (instant > now || instant < now - versionRetentionMs())
    throw ValidationFailed.at(["query", "as_of"], `Not within the last ${days} days`);
  return instant;
}
