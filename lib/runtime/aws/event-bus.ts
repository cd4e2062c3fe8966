import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from "@aws-sdk/client-eventbridge";
import type { EventReference } from "../../events/catalogue/envelope.ts";
import { oncePerContainer } from "../container.ts";
import { currentTraceparent } from "../span.ts";

/** Limits of one PutEvents request: entries, and bytes of all entries together. */
const MAX_ENTRIES_PER_REQUEST = 10;
const MAX_REQUEST_BYTES = 262_144;

/** The outcome of publishing event references. */
export interface PublishResult {
  readonly accepted: readonly EventReference[];
  /** The error of each reference that the bus did not accept. */
  readonly refused: ReadonlyMap<EventReference, unknown>;
}

/** One PutEvents request: references with their entries. */
type PublishRequest = { readonly reference: EventReference; readonly entry: PutEventsRequestEntry }[];

/** The event bus. It carries the ids of events; bodies stay in the events table. */
export class EventBus {
  static readonly #events = oncePerContainer(() => new EventBridgeClient({}));
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** Publishes references to events. A failed request does not stop the others. */
  async publish(references: readonly EventReference[]): Promise<PublishResult> {
    const taken: EventReference[] = [];
    const refused = new Map<EventReference, unknown>();
    for (const request of this.#requests(references)) {
      try {
        const errors = await this.#put(request);
        for (const { reference } of request) {
          if (errors.has(reference)) refused.set(reference, errors.get(reference));
          else taken.push(reference);
        }
      } catch (error) {
        for (const { reference } of request) refused.set(reference, error);
      }
    }
    return { accepted: taken, refused };
  }

  /** @returns the errors of rejected entries. PutEvents can reject single entries within a successful response. */
  async #put(request: PublishRequest): Promise<Map<EventReference, Error>> {
    const Entries = request.map(({ entry }) => entry);
    const answer = await EventBus.#events().send(new PutEventsCommand({ Entries }));
    const refusals = request.flatMap(({ reference }, index) => {
      const result = answer.Entries?.[index];
      if (result?.EventId) return [];
      return [[reference, new Error(`the bus refused the event: ${result?.ErrorCode ?? "no answer"}`)] as const];
    });
    return new Map(refusals);
  }

  *#requests(references: readonly EventReference[]): Generator<PublishRequest> {
    let request: PublishRequest = [];
    let bytes = 0;
    for (const reference of references) {
      const entry = this.#entry(reference);
      const size = entryBytes(entry);
      if (request.length === MAX_ENTRIES_PER_REQUEST || (request.length > 0 && bytes + size > MAX_REQUEST_BYTES)) {
        yield request;
        request = [];
        bytes = 0;
      }
      request.push({ reference, entry });
      bytes += size;
    }
    if (request.length > 0) yield request;
  }

  #entry(reference: EventReference): PutEventsRequestEntry {
    return {
      EventBusName: this.#name,
      Source: "tributary",
      DetailType: reference.type,
      Detail: JSON.stringify({ traceparent: currentTraceparent(), ...reference }),
    };
  }
}

/** The size of an entry in bytes (EventBridge user guide, "Calculating PutEvents event entry size"). */
const entryBytes = ({ Source = "", DetailType = "", Detail = "" }: PutEventsRequestEntry): number =>
  Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);
