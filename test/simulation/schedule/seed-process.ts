import crypto, { createHash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import type { CallScheduler } from "./call-scheduler.ts";

/** Shorter timers of functions are pauses. Longer ones are timeouts of clients, which never pass. */
const MAX_PAUSE_MS = 500;

/** Draws all random values of this process from a seed and freezes its clock, for the life of the process. */
export function seedProcess(seed: number, nowMs: number): void {
  let count = 0;
  const block = () => createHash("sha256").update(`process ${seed} ${count++}`).digest();
  const randomBytes = (length: number): Buffer =>
    Buffer.concat(Array.from({ length: Math.ceil(length / 32) }, block)).subarray(0, length);
  const randomUUID = () => {
    const hex = randomBytes(16).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  const randomInt = (low: number, high?: number): number => {
    const [from, until] = high === undefined ? [0, low] : [low, high];
    return from + (randomBytes(6).readUIntBE(0, 6) % (until - from));
  };
  Object.assign(crypto, { randomBytes, randomUUID, randomInt });
  syncBuiltinESMExports();
  Date.now = () => nowMs;
  Math.random = () => 0;
}

/** Makes pauses of functions steps, and stops their stopwatch, for the life of the process. */
export function schedulePauses(scheduler: CallScheduler): void {
  const system = { setTimeout, clearTimeout, sleep: timers.setTimeout, now: performance.now.bind(performance) };
  const isPause = (ms = 0) => scheduler.isInInvocation && ms < MAX_PAUSE_MS;
  const cleared = new WeakSet<object>();
  const setScheduled = (task: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    if (!isPause(ms)) return system.setTimeout(task, ms, ...args);
    const timer = system.setTimeout(() => undefined, 0);
    void scheduler.step(`pause of ${ms ?? 0} ms`, async () => {
      if (!cleared.has(timer)) task(...args);
    });
    return timer;
  };
  const clearScheduled = (timer?: NodeJS.Timeout) => {
    if (typeof timer === "object") cleared.add(timer);
    system.clearTimeout(timer);
  };
  const sleep = <T>(ms?: number, value?: T, options?: object) =>
    isPause(ms) ? scheduler.step(`pause of ${ms ?? 0} ms`, async () => value) : system.sleep(ms, value, options);
  Object.assign(globalThis, {
    setTimeout: Object.assign(setScheduled, system.setTimeout),
    clearTimeout: clearScheduled,
  });
  Object.assign(timers, { setTimeout: sleep });
  syncBuiltinESMExports();
  performance.now = () => (scheduler.isInInvocation ? 0 : system.now());
}
