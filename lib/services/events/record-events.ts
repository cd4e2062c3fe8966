import { putItem } from "../../contract/access.ts";
import { newestEvents, outbox } from "../../contract/resources.ts";
import type { NewEvent } from "../../events/constructors/compose-event.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { isoNow } from "../../runtime/ports.ts";

/** Dependencies of recording events. */
type RecordEventsDependencies = Dependencies<"outbox" | "newestEvents">;

/** Grants of {@link recordEvents}. */
export const recordEventsAccess = [putItem(newestEvents), putItem(outbox)] as const;

/** Appends events to the outbox in order. Idempotent: an event that exists stays as it is. */
export async function recordEvents(
  events: readonly NewEvent[],
  { outbox, newestEvents }: RecordEventsDependencies,
): Promise<void> {
  for (const event of events) {
    if (event.reference.version > 1) await newestEvents.recordNewest(event.reference, isoNow());
    await outbox.append(event, isoNow());
  }
}
