import { VirtualClock } from "../../../lib/local/clock.ts";
import { EventBus } from "../../../lib/local/events/event-bus.ts";
import type { Deliver, RuleTarget } from "../../../lib/local/events/rules.ts";

/** ARN without its resource part; tests append the resource of rules, buses and queues. */
export const EVENTS_ARN = "arn:aws:events:us-east-1:000000000000";
export const ORIGIN = { accountId: "000000000000", region: "us-east-1" };
export const ENTRY = { Source: "shop", DetailType: "order.created", Detail: '{"order_id":"o1"}' };

/** A delivery as received by its target, in seconds since the creation of the bus. */
export interface RecordedDelivery {
  arn: string;
  payload: string;
  target: RuleTarget;
  atS: number;
}

/** An in-memory bus with the default bus. Records every delivery, then returns the result of `answer`. */
export class RecordingBus {
  readonly clock = new VirtualClock();
  readonly delivered: RecordedDelivery[] = [];
  readonly bus: EventBus;
  answer: Deliver = async () => undefined;

  constructor() {
    const start = this.clock.now();
    const deliver: Deliver = (arn, payload, target) => {
      this.delivered.push({ arn, payload, target, atS: (this.clock.now() - start) / 1000 });
      return this.answer(arn, payload, target);
    };
    this.bus = new EventBus({ path: ":memory:", clock: this.clock, deliver });
    this.bus.addBus("default", `${EVENTS_ARN}:event-bus/default`);
  }

  settle = async (): Promise<void> => {
    while (this.bus.pending() > 0) await new Promise((resolve) => setImmediate(resolve));
  };

  async advanceS(seconds: number): Promise<void> {
    await this.clock.advanceTo(this.clock.now() + seconds * 1000, this.settle);
  }

  close(): void {
    this.bus.close();
    this.clock.stop();
  }
}
