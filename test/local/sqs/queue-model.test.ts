import fc from "fast-check";
import { expect, test } from "vitest";
import type { VirtualClock } from "../../../lib/local/clock.ts";
import type { QueueEngine } from "../../../lib/local/sqs/queue-engine.ts";
import { advance, deadLetterQueue, openEngine, ordersQueue, stoppedClock } from "./queue-fixture.ts";

const RETENTION_S = 20;
const MAX_RECEIVES = 2;

interface ModelMessage {
  readonly sentAt: number;
  visibleAt: number;
  receives: number;
  handle?: string;
}

interface System {
  readonly clock: VirtualClock;
  readonly engine: QueueEngine;
  /** Model of the queue: a Map in the order of sending. */
  readonly model: Map<string, ModelMessage>;
  /** Ids in the dead-letter queue. */
  readonly dead: string[];
  /** Every issued receipt handle, also of deleted messages and earlier receives. */
  readonly handles: string[];
}

type Step = (system: System) => Promise<void> | void;

const send =
  (delayS: number): Step =>
  ({ clock, engine, model }) => {
    const id = engine.send(ordersQueue.url, { body: "b", delayS });
    model.set(id, { sentAt: clock.now(), visibleAt: clock.now() + delayS * 1000, receives: 0 });
  };

/** Returns the ids that a receive has to return by the model, in order; dead-letters spent messages on the way. */
function expectedIds({ clock, model, dead }: System, max: number): string[] {
  const visible = [...model].filter(([, message]) => message.visibleAt <= clock.now());
  visible.sort(([, a], [, b]) => a.visibleAt - b.visibleAt);
  const ids: string[] = [];
  for (const [id, message] of visible) {
    if (ids.length === max) break;
    if (message.receives < MAX_RECEIVES) ids.push(id);
    else if (model.delete(id)) dead.push(id);
  }
  return ids;
}

const receive =
  (max: number, visibilityTimeoutS: number): Step =>
  async (system) => {
    const expected = expectedIds(system, max);
    const received = await system.engine.receive(ordersQueue.url, { max, visibilityTimeoutS });
    expect(received.map((message) => message.messageId)).toEqual(expected);
    for (const { messageId, receiptHandle, systemAttributes } of received) {
      const message = system.model.get(messageId)!;
      message.receives++;
      message.visibleAt = system.clock.now() + visibilityTimeoutS * 1000;
      message.handle = receiptHandle;
      system.handles.push(receiptHandle);
      expect(systemAttributes.ApproximateReceiveCount).toBe(String(message.receives));
    }
  };

/** Returns the message whose latest receipt handle this is. */
const heldBy = ({ model }: System, handle: string) => [...model].find(([, message]) => message.handle === handle);

const withHandle =
  (pick: number, run: (system: System, handle: string) => void): Step =>
  (system) => {
    if (system.handles.length > 0) run(system, system.handles[pick % system.handles.length]!);
  };

const remove = (pick: number): Step =>
  withHandle(pick, (system, handle) => {
    system.engine.delete(ordersQueue.url, handle);
    const held = heldBy(system, handle);
    if (held) system.model.delete(held[0]);
  });

const changeVisibility = (pick: number, timeoutS: number): Step =>
  withHandle(pick, (system, handle) => {
    const change = () => system.engine.changeVisibility(ordersQueue.url, handle, timeoutS);
    const message = heldBy(system, handle)?.[1];
    if (message && message.visibleAt > system.clock.now()) {
      change();
      message.visibleAt = system.clock.now() + timeoutS * 1000;
    } else expect(change).toThrow("isn't in flight");
  });

const wait =
  (seconds: number): Step =>
  async ({ clock, model }) => {
    await advance(clock, seconds * 1000);
    for (const [id, message] of model) if (message.sentAt + RETENTION_S * 1000 <= clock.now()) model.delete(id);
  };

function expectSameDepths({ clock, engine, model, dead }: System): void {
  const hidden = [...model.values()].filter((message) => message.visibleAt > clock.now());
  const inFlight = hidden.filter((message) => message.receives > 0).length;
  const delayed = hidden.length - inFlight;
  expect(engine.depth(ordersQueue.url)).toEqual({ visible: model.size - hidden.length, delayed, inFlight });
  expect(engine.depth(deadLetterQueue.url).visible).toBe(dead.length);
}

const named = (name: string, step: Step, ...values: number[]) =>
  Object.assign(step, { toString: () => `${name}(${values.join(", ")})` });
const seconds = fc.nat({ max: 6 });
const anyStep = fc.oneof(
  seconds.map((delayS) => named("send", send(delayS), delayS)),
  fc.tuple(fc.integer({ min: 1, max: 4 }), seconds).map((args) => named("receive", receive(...args), ...args)),
  fc.nat({ max: 50 }).map((pick) => named("delete", remove(pick), pick)),
  fc.tuple(fc.nat({ max: 50 }), seconds).map((args) => named("hold", changeVisibility(...args), ...args)),
  seconds.map((duration) => named("wait", wait(duration), duration)),
);

test("any sequence of sends, receives, deletions, visibility changes and waits matches the model", {
  tags: "deep",
}, async () => {
  const clock = stoppedClock();
  const property = fc.asyncProperty(fc.array(anyStep, { maxLength: 60, size: "max" }), async (steps) => {
    const engine = openEngine(clock);
    engine.createQueue({ ...ordersQueue, retentionS: RETENTION_S });
    const system: System = { clock, engine, model: new Map(), dead: [], handles: [] };
    for (const step of steps) {
      await step(system);
      expectSameDepths(system);
    }
    engine.close();
  });
  await fc.assert(property, { numRuns: 200 });
});
