import { setImmediate } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { VirtualClock } from "../../../lib/local/clock.ts";
import type { Json } from "../../../lib/local/states/json-path.ts";
import { StateMachines } from "../../../lib/local/states/state-machines.ts";

export const MACHINE_ARN = "arn:aws:states:us-east-1:000000000000:stateMachine:machine";

export function lambdaArn(name: string): string {
  return `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
}

interface Invocation {
  readonly name: string;
  readonly payload: Json;
  readonly at: number;
}

interface Options {
  /** Result of each function; the default returns its payload. */
  readonly answer?: (invocation: Invocation) => unknown;
  readonly databasePath?: string;
  readonly offsetMs?: number;
}

/** Creates an executor on its own virtual clock, with functions that record their calls. */
export function createExecutor({
  answer = ({ payload }) => payload,
  databasePath = ":memory:",
  offsetMs = 0,
}: Options = {}) {
  const clock = new VirtualClock(offsetMs);
  const calls: Invocation[] = [];
  const machines = new StateMachines({
    clock,
    databasePath,
    invoke: async (functionArn, payload) => {
      const invocation = { name: functionArn.split(":").at(-1) ?? "", payload, at: clock.now() };
      calls.push(invocation);
      return answer(invocation);
    },
  });
  onTestFinished(() => {
    machines.close();
    clock.stop();
  });
  const settle = async () => {
    while (machines.pending() > 0) await setImmediate();
  };
  return {
    clock,
    calls,
    machines,
    settle,
    advance: (seconds: number) => clock.advanceTo(clock.now() + seconds * 1000, settle),
    register: (definition: object) =>
      machines.register({ name: "machine", arn: MACHINE_ARN, definition: JSON.stringify(definition) }),
    /** Starts an execution and returns it once it is idle. */
    start: async (input: Json = {}) => {
      const { arn } = machines.start(MACHINE_ARN, JSON.stringify(input));
      await settle();
      return machines.describe(arn);
    },
  };
}

/** Runs one or a few states to the end. @returns status, output (as JSON) and error. */
export async function runStates(states: Record<string, object>, input: Json = {}, options: Options = {}) {
  const { register, start } = createExecutor(options);
  register({ StartAt: Object.keys(states)[0], States: states });
  const { status, output, error, cause } = await start(input);
  return { status, output: JSON.parse(output ?? "null"), error, cause };
}

/** Creates the error of a function; its name is the Lambda error type. */
export function lambdaError(name: string, message = "no luck"): Error {
  return Object.assign(new Error(message), { name });
}
