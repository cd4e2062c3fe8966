import { EventBridgeClient, type PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { vi } from "vitest";
import type { InvocationGate } from "./invocation-gate.ts";

type Send = (command: PutEventsCommand) => Promise<object>;

/** A fake event bus. Records accepted events and rejects selected entries. */
export class FakeEventBus {
  /** Ids of accepted events, with repetitions. */
  readonly acceptedIds: string[] = [];
  /** Number of entries of each request, including rejected entries. */
  readonly requestSizes: number[] = [];
  isRefused: (eventId: string) => boolean = () => false;
  /** Whether accepted events wait for {@link release}, as if they were published later. */
  isHeld = false;
  readonly #held: string[] = [];

  /** Replaces the EventBridge client, behind the gate, for the rest of the test file. */
  constructor(gate: Pick<InvocationGate, "pass">) {
    const send: Send = (command) => gate.pass("PutEvents", async () => this.#put(command));
    vi.spyOn(EventBridgeClient.prototype, "send").mockImplementation(send as never);
  }

  clear(): void {
    this.acceptedIds.length = 0;
    this.requestSizes.length = 0;
    this.#held.length = 0;
    this.isRefused = () => false;
  }

  /** Publishes the events that wait. */
  release(): void {
    this.acceptedIds.push(...this.#held.splice(0));
  }

  #put({ input: { Entries = [] } }: PutEventsCommand): object {
    this.requestSizes.push(Entries.length);
    const ids = Entries.map(({ Detail = "{}" }) => String(JSON.parse(Detail).event_id));
    const results = ids.map((id) => (this.isRefused(id) ? { ErrorCode: "ThrottlingException" } : { EventId: id }));
    const accepted = ids.filter((_, index) => "EventId" in (results[index] ?? {}));
    (this.isHeld ? this.#held : this.acceptedIds).push(...accepted);
    return { FailedEntryCount: results.filter((result) => "ErrorCode" in result).length, Entries: results };
  }
}
