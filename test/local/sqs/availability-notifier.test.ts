import { describe, expect, test, vi } from "vitest";
import { advance, deadLetterQueue, openEngine, ordersQueue, stoppedClock } from "./queue-fixture.ts";

function start() {
  const clock = stoppedClock();
  const engine = openEngine(clock);
  const listener = vi.fn();
  const turn = () => Promise.resolve();
  return { clock, engine, listener, turn };
}

describe("onAvailable", () => {
  test("reports many messages of one event loop turn once, at the end of the turn", async () => {
    const { engine, listener, turn } = start();
    engine.onAvailable(ordersQueue.url, listener);
    for (const body of ["1", "2", "3"]) engine.send(ordersQueue.url, { body });
    expect(listener).not.toHaveBeenCalled();
    await turn();
    expect(listener).toHaveBeenCalledTimes(1);
    engine.send(ordersQueue.url, { body: "4" });
    await turn();
    expect(listener).toHaveBeenCalledTimes(2);
  });

  test("reports existing messages to a new listener", async () => {
    const { engine, listener, turn } = start();
    engine.send(ordersQueue.url, { body: "b" });
    engine.onAvailable(ordersQueue.url, listener);
    await turn();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test("reports a delayed message at its instant", async () => {
    const { clock, engine, listener } = start();
    const instants: number[] = [];
    engine.onAvailable(
      ordersQueue.url,
      listener.mockImplementation(() => instants.push(clock.now())),
    );
    const sentAt = clock.now();
    engine.send(ordersQueue.url, { body: "1", delayS: 600 });
    engine.send(ordersQueue.url, { body: "2", delayS: 60 });
    await advance(clock, 3_600_000);
    expect(instants).toEqual([sentAt + 60_000, sentAt + 600_000]);
  });

  test("reports a message in flight at the end of its visibility timeout, unless it was deleted", async () => {
    const { clock, engine, listener, turn } = start();
    engine.onAvailable(ordersQueue.url, listener);
    for (const body of ["1", "2"]) engine.send(ordersQueue.url, { body });
    const [first, second] = await engine.receive(ordersQueue.url, { max: 2 });
    await turn();
    listener.mockClear();
    engine.delete(ordersQueue.url, first!.receiptHandle);
    await advance(clock, 30_000);
    expect(listener).toHaveBeenCalledTimes(1);
    await engine.receive(ordersQueue.url, { max: 2 });
    engine.delete(ordersQueue.url, second!.receiptHandle);
    engine.purge(ordersQueue.url);
    await advance(clock, 30_000);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test("reports returned, dead-lettered and redriven messages to their queues", async () => {
    const { engine, listener, turn } = start();
    const deadListener = vi.fn();
    engine.send(ordersQueue.url, { body: "b" });
    const [message] = await engine.receive(ordersQueue.url, { max: 1 });
    engine.onAvailable(ordersQueue.url, listener);
    engine.onAvailable(deadLetterQueue.url, deadListener);
    engine.changeVisibility(ordersQueue.url, message!.receiptHandle, 0);
    await turn();
    expect(listener).toHaveBeenCalledTimes(1);
    await engine.receive(ordersQueue.url, { max: 1, visibilityTimeoutS: 0 });
    await engine.receive(ordersQueue.url, { max: 1 });
    await turn();
    expect(deadListener).toHaveBeenCalledTimes(1);
    listener.mockClear();
    engine.redrive(deadLetterQueue.arn);
    await turn();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test("does not call a removed listener", async () => {
    const { engine, listener, turn } = start();
    const stop = engine.onAvailable(ordersQueue.url, listener);
    engine.send(ordersQueue.url, { body: "b" });
    stop();
    await turn();
    expect(listener).not.toHaveBeenCalled();
  });
});

describe("timers on the clock", () => {
  test("timers exist once per queue with a listener, for its earliest instant, and never without listeners", () => {
    const { clock, engine, listener } = start();
    const planned = vi.spyOn(clock, "at");
    engine.send(ordersQueue.url, { body: "1", delayS: 50 });
    expect(clock.nextDueAt()).toBeUndefined();
    const stop = engine.onAvailable(ordersQueue.url, listener);
    expect(clock.nextDueAt()).toBe(clock.now() + 50_000);
    engine.send(ordersQueue.url, { body: "2", delayS: 90 });
    expect(planned).toHaveBeenCalledTimes(1);
    engine.send(ordersQueue.url, { body: "3", delayS: 10 });
    expect(clock.nextDueAt()).toBe(clock.now() + 10_000);
    engine.purge(ordersQueue.url);
    expect(clock.nextDueAt()).toBeUndefined();
    engine.send(ordersQueue.url, { body: "4", delayS: 10 });
    stop();
    expect(clock.nextDueAt()).toBeUndefined();
  });

  test("nextDueAt is the earliest instant at which a message becomes receivable, unless it expires first", () => {
    const { clock, engine } = start();
    engine.createQueue({ ...ordersQueue, retentionS: 100 });
    expect(engine.nextDueAt(ordersQueue.url)).toBeUndefined();
    engine.send(ordersQueue.url, { body: "now" });
    engine.send(ordersQueue.url, { body: "never", delayS: 100 });
    expect(engine.nextDueAt(ordersQueue.url)).toBeUndefined();
    engine.send(ordersQueue.url, { body: "later", delayS: 99 });
    engine.send(ordersQueue.url, { body: "soon", delayS: 3 });
    expect(engine.nextDueAt(ordersQueue.url)).toBe(clock.now() + 3000);
  });

  test("a due message is reported even if its timer is late", async () => {
    const { clock, engine, listener } = start();
    engine.onAvailable(ordersQueue.url, listener);
    engine.send(ordersQueue.url, { body: "due", delayS: 1 });
    // Real time passes while the event loop is busy: the timer is late, and other calls use the queue meanwhile.
    vi.setSystemTime(Date.now() + 1001);
    engine.send(ordersQueue.url, { body: "later", delayS: 60 });
    await advance(clock, 0);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});

/** Longer than a test may take, so a receive that is not woken fails its test. */
const waitS = 3600;

describe("a waiting receive", () => {
  test("gets a message immediately, and another receive continues to wait", async () => {
    const { engine } = start();
    const first = engine.receive(ordersQueue.url, { max: 1, waitS });
    const second = engine.receive(ordersQueue.url, { max: 1, waitS });
    engine.send(ordersQueue.url, { body: "1" });
    expect((await first)[0]?.body).toBe("1");
    engine.send(ordersQueue.url, { body: "2" });
    expect((await second)[0]?.body).toBe("2");
  });

  test("gets a delayed message when the clock advances", async () => {
    const { clock, engine } = start();
    engine.send(ordersQueue.url, { body: "b", delayS: 900 });
    const waiting = engine.receive(ordersQueue.url, { max: 1, waitS });
    await advance(clock, 900_000);
    expect((await waiting)[0]?.body).toBe("b");
  });

  test("returns nothing after its wait time", async () => {
    const { engine } = start();
    expect(await engine.receive(ordersQueue.url, { max: 1, waitS: 0.05 })).toEqual([]);
  });

  test("ends when the engine closes, and leaves no timer", async () => {
    const { clock, engine } = start();
    engine.send(ordersQueue.url, { body: "b", delayS: 900 });
    const waiting = engine.receive(ordersQueue.url, { max: 1, waitS });
    expect(clock.nextDueAt()).toBeDefined();
    engine.close();
    expect(await waiting).toEqual([]);
    expect(clock.nextDueAt()).toBeUndefined();
  });
});
