import { describe, expect, test } from "vitest";
import { FaultInjector, type FaultTarget } from "../../../lib/local/aws-proxy/fault-injector.ts";

/** Makes a call. @returns whether it took effect, and the result for its caller. */
async function attempt(faults: FaultInjector, target: Partial<FaultTarget> = {}): Promise<string> {
  let effect = "no effect";
  const call = async () => {
    effect = "effect";
    return "answered";
  };
  const outcome = await faults
    .run({ service: "dynamodb", function: "f", ...target }, call)
    .catch((error) => error.type);
  return `${effect}, ${outcome}`;
}

async function attempts(faults: FaultInjector, count: number): Promise<string[]> {
  const outcomes = [];
  for (let index = 0; index < count; index++) outcomes.push(await attempt(faults));
  return outcomes;
}

const untouched = "effect, answered";
const failedBefore = "no effect, InternalServerError";
const failedAfter = "effect, InternalServerError";

describe("fault injection", () => {
  test("affects no call without a fault", async () => {
    expect(await attempt(new FaultInjector())).toBe(untouched);
  });

  test("prevents the effect with fail_before, and loses only the reply with fail_after", async () => {
    const faults = new FaultInjector();
    faults.add({ service: "dynamodb", mode: "fail_before" });
    expect(await attempt(faults)).toBe(failedBefore);
    faults.clear();
    faults.add({ service: "dynamodb", mode: "fail_after" });
    expect(await attempt(faults)).toBe(failedAfter);
  });

  test("hides an error of the call itself with fail_after", async () => {
    const faults = new FaultInjector();
    faults.add({ mode: "fail_after" });
    const call = () => Promise.reject(new Error("condition failed"));
    await expect(faults.run({ service: "dynamodb", function: "f" }, call)).rejects.toMatchObject({ status: 500 });
  });

  test("changes only the time with delay", async () => {
    const faults = new FaultInjector();
    faults.add({ mode: "delay", delay_ms: 1 });
    expect(await attempt(faults)).toBe(untouched);
    expect(faults.list()).toMatchObject([{ mode: "delay", struck: 1 }]);
  });

  test("does not affect other services and functions", async () => {
    const faults = new FaultInjector();
    faults.add({ service: "sqs", function: "f", mode: "fail_before" });
    expect(await attempt(faults)).toBe(untouched);
    expect(await attempt(faults, { service: "sqs", function: "g" })).toBe(untouched);
    expect(await attempt(faults, { service: "sqs" })).toBe(failedBefore);
  });

  test("applies several faults at once", async () => {
    const faults = new FaultInjector();
    faults.add({ service: "dynamodb", mode: "fail_before" });
    faults.add({ service: "sqs", mode: "fail_after" });
    expect([await attempt(faults), await attempt(faults, { service: "sqs" })]).toEqual([failedBefore, failedAfter]);
  });

  test("is reproducible for a seed, and differs for another", async () => {
    const run = async (seed: number) => {
      const faults = new FaultInjector();
      faults.add({ mode: "fail_before", probability: 0.3, seed });
      return attempts(faults, 200);
    };
    const [first, again, other] = await Promise.all([run(7), run(7), run(8)]);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    const struck = first.filter((outcome) => outcome === failedBefore).length;
    expect(struck).toBeGreaterThan(40);
    expect(struck).toBeLessThan(80);
  });

  test("decides the same for a call whatever other calls are made, and anew for a repeated call", async () => {
    const names = Array.from({ length: 20 }, (_, place) => `call ${place}`);
    const run = async (abouts: readonly string[]) => {
      const faults = new FaultInjector();
      faults.add({ mode: "fail_before", probability: 0.5, seed: 3 });
      const outcomes: [name: string, outcome: string][] = [];
      for (const name of abouts) outcomes.push([name, await attempt(faults, { fingerprint: () => name })]);
      const byName = Map.groupBy(outcomes, ([name]) => name);
      return names.map((name) => byName.get(name)?.map(([, outcome]) => outcome));
    };
    const inOrder = await run([...names, ...names]);
    expect(await run([...names.toReversed(), ...names])).toEqual(inOrder);
    expect(inOrder.filter(([first, second] = []) => first !== second).length).toBeGreaterThan(0);
  });

  test("fails all attempts of a selected call with every_attempt", async () => {
    const faults = new FaultInjector();
    faults.add({ mode: "fail_before", probability: 0.5, every_attempt: true });
    const outcomes = new Map<string, Set<string>>();
    for (const callId of Array.from({ length: 40 }, (_, place) => `call ${place}`)) {
      const seen = [
        await attempt(faults, { callId }),
        await attempt(faults, { callId }),
        await attempt(faults, { callId }),
      ];
      outcomes.set(callId, new Set(seen));
    }
    expect([...outcomes.values()].every((seen) => seen.size === 1)).toBe(true);
    const struck = [...outcomes.values()].filter((seen) => seen.has(failedBefore)).length;
    expect(struck).toBeGreaterThan(8);
    expect(struck).toBeLessThan(32);
  });

  test("affects exactly that call of each function with at_call", async () => {
    const faults = new FaultInjector();
    faults.add({ mode: "fail_before", at_call: 2 });
    expect(await attempt(faults, { function: "g" })).toBe(untouched);
    expect(await attempts(faults, 4)).toEqual([untouched, failedBefore, untouched, untouched]);
    expect(await attempt(faults, { function: "g" })).toBe(failedBefore);
  });

  test("does not affect the retry of the call with at_call", async () => {
    const faults = new FaultInjector();
    faults.add({ mode: "fail_before", at_call: 1 });
    expect(await attempt(faults, { callId: "one" })).toBe(failedBefore);
    expect(await attempt(faults, { callId: "one" })).toBe(untouched);
    expect(await attempt(faults, { callId: "two" })).toBe(untouched);
  });

  test("affects the retries too, and no other call, with every_attempt", async () => {
    const faults = new FaultInjector();
    faults.add({ mode: "fail_before", at_call: 1, every_attempt: true });
    const outcomes = [];
    for (const callId of ["one", "one", "two", "one"]) outcomes.push(await attempt(faults, { callId }));
    expect(outcomes).toEqual([failedBefore, failedBefore, untouched, failedBefore]);
    expect(faults.list()).toMatchObject([{ struck: 3 }]);
  });

  test("refuses a malformed fault", () => {
    expect(() => new FaultInjector().add({ mode: "fail_before", probability: 2 })).toThrow();
  });
});
