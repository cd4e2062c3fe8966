import type { NewEvent } from "../events/compose-event.ts";
import type { NewestEventStore } from "../store/newest-events.ts";
import type { OutboxStore } from "../store/outbox.ts";
import { isoNow } from "./ports.ts";

/** Where events are written to. */
interface TellingUses {
  readonly outbox: OutboxStore;
  readonly newestEvents: NewestEventStore;
}

/** Writes events, one after the other; writing them again changes nothing. */
export async function tell(events: readonly NewEvent[], { outbox, newestEvents }: TellingUses): Promise<void> {
  for (const event of events) {
    if (event.reference.version > 1) await newestEvents.note(event.reference, isoNow());
    await outbox.add(event, isoNow());
  }
}
