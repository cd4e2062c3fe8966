import { deletedDays } from "../../domain/queries/continuous/changed-days.ts";
import { floatingTimeConverter } from "../../domain/shared/local-day.ts";
import { type Sample, sampleKey } from "../../domain/timeseries/chunk/sample.ts";
import { getResource } from "../../domain/timeseries/resources.ts";
import type { ChangedDaysMessage } from "../../events/queries/changed-days-message.ts";
import type { Queue } from "../../runtime/aws/queue.ts";
import type { BatchContext, ChangedSamples, StoreResult } from "./store-samples.ts";

/** Maximum days in one message. A batch of the maximum size can delete samples on more days than a message holds. */
const MAX_DAYS_PER_MESSAGE = 10_000;

/**
 * Names the days whose samples a batch deleted to continuous queries, which learn of all other changes from data
 * events: deletions have none. Precedes the close of the receipt, so that a batch that breaks off says it again.
 */
export async function announceDeletions(
  { queryChanges }: { readonly queryChanges: Pick<Queue, "send"> },
  { user, receiptId }: Pick<BatchContext, "user" | "receiptId">,
  results: readonly StoreResult[],
): Promise<void> {
  const floatingOf = floatingTimeConverter(user.fallback_time_zone.id);
  for (const changed of results.flatMap((result) => result.changed ?? [])) {
    const deleted = changed.now.filter(({ isDeleted }) => isDeleted);
    if (deleted.length === 0) continue;
    const resource = getResource(changed.resource);
    const days = deletedDays(resource.eventName, asTheyWere(deleted, changed), floatingOf);
    for (let first = 0; first < days.length; first += MAX_DAYS_PER_MESSAGE) {
      const message: ChangedDaysMessage = {
        event_id: `${receiptId}#${resource.name}#${first}`,
        team_id: user.team_id,
        user_id: user.user_id,
        type: `daily.data.${resource.eventName}.deleted`,
        key: receiptId,
        version: 1,
        days: days.slice(first, first + MAX_DAYS_PER_MESSAGE),
      };
      await queryChanges.send(message);
    }
  }
}

/** The deleted samples as they were; those that an earlier attempt deleted lost all but their start. */
function asTheyWere(deleted: readonly Sample[], { before }: ChangedSamples): Sample[] {
  const earlier = new Map(before.map((sample) => [sampleKey(sample), sample]));
  return deleted.map((one) => earlier.get(sampleKey(one)) ?? one);
}
