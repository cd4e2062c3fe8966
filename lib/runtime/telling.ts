import type { NewEvent } from "../events/compose-event.ts";
import type { NewestEventStore } from "../store/newest-events.ts";
import type { OutboxStore } from "../store/outbox.ts";
import { isoNow } from "./ports.ts";

/** Dependencies of recording events. */
interface TellingUses {
  readonly outbox: OutboxStore;
  readonly newestEvents: NewestEventStore;
}

/** Appends events to the outbox in order. Idempotent: an event that exists stays as it is. */
export async function tell(events: readonly NewEvent[], { outbox, newestEvents }: TellingUses): Promise<void> {
  for (const event of events) {
    if (event.reference.version > 1) await newestEvents.note(event.reference, isoNow());
    await outbox.add(event, isoNow());
  }
}
