import { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import type { EventReference } from "../events/envelope.ts";

/** The most entries that one PutEvents request takes. */
const ENTRIES_PER_REQUEST = 10;

/** The bus that carries the ids of events; bodies stay in the events table. */
export class EventBus {
  static #client: EventBridgeClient | undefined;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  static get #events(): EventBridgeClient {
    EventBus.#client ??= new EventBridgeClient({});
    return EventBus.#client;
  }

  /**
   * Publishes references to events.
   * @returns those that the bus took; PutEvents refuses single entries inside a successful answer, so each is checked.
   */
  async publish(references: readonly EventReference[]): Promise<EventReference[]> {
    const taken: EventReference[] = [];
    for (let first = 0; first < references.length; first += ENTRIES_PER_REQUEST) {
      const slice = references.slice(first, first + ENTRIES_PER_REQUEST);
      const answer = await EventBus.#events.send(
        new PutEventsCommand({
          Entries: slice.map((reference) => ({
            EventBusName: this.#name,
            Source: "tributary",
            DetailType: reference.type,
            Detail: JSON.stringify(reference),
          })),
        }),
      );
      taken.push(...slice.filter((_, index) => answer.Entries?.[index]?.EventId));
    }
    return taken;
  }
}
