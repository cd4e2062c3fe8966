import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from "@aws-sdk/client-eventbridge";
import type { EventReference } from "../events/envelope.ts";
import { keptByContainer } from "./container.ts";

/** The most entries, and bytes of them together, that one PutEvents request takes. */
const MOST_ENTRIES = 10;
const MOST_BYTES = 262_144;

/** What became of references that were to be published. */
export interface Published {
  readonly taken: readonly EventReference[];
  /** The reason why the bus does not have it, by reference. */
  readonly refused: ReadonlyMap<EventReference, unknown>;
}

/** One request: references and what stands for each of them. */
type Request = { readonly reference: EventReference; readonly entry: PutEventsRequestEntry }[];

/** The bus that carries the ids of events; bodies stay in the events table. */
export class EventBus {
  static readonly #events = keptByContainer(() => new EventBridgeClient({}));
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** Publishes references to events. A request that fails does not keep the others from being made. */
  async publish(references: readonly EventReference[]): Promise<Published> {
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
    return { taken, refused };
  }

  /** @returns the refusals: PutEvents refuses single entries inside a successful answer, so each is checked. */
  async #put(request: Request): Promise<Map<EventReference, Error>> {
    const Entries = request.map(({ entry }) => entry);
    const answer = await EventBus.#events().send(new PutEventsCommand({ Entries }));
    const refusals = request.flatMap(({ reference }, index) => {
      const result = answer.Entries?.[index];
      if (result?.EventId) return [];
      return [[reference, new Error(`the bus refused the event: ${result?.ErrorCode ?? "no answer"}`)] as const];
    });
    return new Map(refusals);
  }

  *#requests(references: readonly EventReference[]): Generator<Request> {
    let request: Request = [];
    let bytes = 0;
    for (const reference of references) {
      const entry = this.#entry(reference);
      const size = sizeOf(entry);
      if (request.length === MOST_ENTRIES || (request.length > 0 && bytes + size > MOST_BYTES)) {
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
      Detail: JSON.stringify(reference),
    };
  }
}

/** What an entry counts towards the size of its request (EventBridge user guide, "Calculating PutEvents event entry size"). */
const sizeOf = ({ Source = "", DetailType = "", Detail = "" }: PutEventsRequestEntry): number =>
  Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);
