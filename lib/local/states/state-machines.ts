import { randomUUID } from "node:crypto";
import type { Timer, VirtualClock } from "../clock.ts";
import { loadDefinition, type Scope } from "./asl-definition.ts";
import { begin, type Outcome, step } from "./asl-interpreter.ts";
import { type Execution, ExecutionStore, type HistoryEvent } from "./execution-store.ts";
import type { Json } from "./json-path.ts";
import { innermost, refreshed } from "./position.ts";
import { StatesError } from "./states-error.ts";

/** A state machine as the template declares it; `definition` is JSON text with every intrinsic resolved. */
export interface MachineDeclaration {
  readonly name: string;
  readonly arn: string;
  readonly definition: string;
}

/** What the executor stands on. */
export interface StateMachinesOptions {
  readonly clock: VirtualClock;
  /** The SQLite file, made when missing; ":memory:" keeps nothing. */
  readonly databasePath: string;
  /** Calls a function; rejects with an Error whose name is the Lambda error type. */
  invoke(functionArn: string, payload: Json): Promise<unknown>;
}

/** The quota of history events (Step Functions guide, "Service quotas"); it also ends a loop that never waits. */
const MAX_EVENTS = 25_000;

/** Characters that an execution name may not have, and its length (API reference, "StartExecution"). */
const EXECUTION_NAME = /^[^\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]{1,80}$/u;

/**
 * Standard workflows on the virtual clock. Each transition is committed before the next state runs, so an execution
 * whose process was killed continues in the state it had entered. A task that was running then runs again: tasks are
 * called at least once and must be idempotent, as in AWS.
 */
export class StateMachines {
  readonly #clock: VirtualClock;
  readonly #store: ExecutionStore;
  readonly #invoke: StateMachinesOptions["invoke"];
  readonly #machines = new Map<string, { readonly name: string; readonly definition: Scope }>();
  readonly #running = new Set<string>();
  readonly #timers = new Map<string, Timer>();
  #closed = false;

  constructor({ clock, databasePath, invoke }: StateMachinesOptions) {
    this.#clock = clock;
    this.#store = new ExecutionStore(databasePath);
    this.#invoke = invoke;
  }

  /**
   * Adds a machine, or replaces its definition, and continues the executions an earlier process left open: register
   * when the functions can be called. Open executions follow the new definition.
   * @throws Error for a definition that is invalid or uses what is not run locally.
   */
  register({ name, arn, definition }: MachineDeclaration): void {
    this.#machines.set(arn, { name, definition: loadDefinition(definition) });
    for (const execution of this.#store.ofMachine(arn, "RUNNING")) this.#resume(execution.arn);
  }

  /**
   * Starts an execution; the same name with the same input, while it runs, answers the running execution.
   * Names stay taken for ever (in AWS for 90 days). @throws StatesError
   */
  start(machineArn: string, input = "{}", name: string = randomUUID()): Execution {
    const machine = this.#machines.get(machineArn);
    if (!machine) throw new StatesError("StateMachineDoesNotExist", `State Machine Does Not Exist: '${machineArn}'`);
    if (!EXECUTION_NAME.test(name)) throw new StatesError("InvalidName", `Invalid Name: '${name}'`);
    const arn = `${machineArn.replace(":stateMachine:", ":execution:")}:${name}`;
    const earlier = this.#store.find(arn);
    if (earlier?.status === "RUNNING" && earlier.input === input) return earlier;
    if (earlier) throw new StatesError("ExecutionAlreadyExists", `Execution Already Exists: '${arn}'`);
    const startedAt = this.#clock.now();
    const begun = begin(machine.definition, parseInput(input), startedAt);
    this.#store.insert({ arn, machineArn, name, input, startedAt }, begun);
    this.#resume(arn);
    return this.describe(arn);
  }

  /** Ends a running execution as ABORTED; one that is closed stays as it is. @throws StatesError */
  stop(arn: string, error: string | null = null, cause: string | null = null): Execution {
    if (this.describe(arn).status === "RUNNING") this.#store.abort(arn, error, cause, this.#clock.now());
    this.#forgetTimer(arn);
    return this.describe(arn);
  }

  /** @throws StatesError ExecutionDoesNotExist */
  describe(arn: string): Execution {
    const execution = this.#store.find(arn);
    if (!execution) throw new StatesError("ExecutionDoesNotExist", `Execution Does Not Exist: '${arn}'`);
    return execution;
  }

  /** The executions of a machine, newest first. */
  list(machineArn: string, status?: string): Execution[] {
    return this.#store.ofMachine(machineArn, status);
  }

  /** What happened in an execution, oldest first. @throws StatesError ExecutionDoesNotExist */
  history(arn: string): HistoryEvent[] {
    return this.#store.events(this.describe(arn).arn);
  }

  /** Continues a failed or aborted execution in the state it ended in, with that state's input. @throws StatesError */
  redrive(arn: string): Execution {
    const { status, position } = this.describe(arn);
    if (status !== "FAILED" && status !== "ABORTED")
      throw new StatesError("ExecutionNotRedrivable", `Execution is not redrivable in status ${status}: '${arn}'`);
    this.#store.reopen(arn, refreshed(position), this.#clock.now());
    this.#resume(arn);
    return this.describe(arn);
  }

  /** How many executions are at work now; those that wait for a later instant are not. */
  pending(): number {
    return this.#running.size;
  }

  /** Lets go of the file and the timers. What is open continues when its machine is registered on the same file. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const arn of [...this.#timers.keys()]) this.#forgetTimer(arn);
    this.#store.close();
  }

  #resume(arn: string): void {
    const { machineArn, position } = this.describe(arn);
    const { dueAt = 0 } = innermost(position);
    if (!this.#machines.has(machineArn)) return;
    this.#forgetTimer(arn);
    if (dueAt > this.#clock.now())
      this.#timers.set(
        arn,
        this.#clock.at(dueAt, () => this.#wake(arn)),
      );
    else void this.#run(arn);
  }

  #wake(arn: string): Promise<void> {
    this.#timers.delete(arn);
    return this.#run(arn);
  }

  /** Steps until the execution waits or is closed. It reads what is stored before each step, never a copy of its own. */
  async #run(arn: string): Promise<void> {
    if (this.#running.has(arn)) return;
    this.#running.add(arn);
    while (!this.#closed && this.#isDue(arn)) await this.#step(this.describe(arn));
    this.#running.delete(arn);
    if (!this.#closed && this.describe(arn).status === "RUNNING") this.#resume(arn);
  }

  #isDue(arn: string): boolean {
    const { status, position } = this.describe(arn);
    return status === "RUNNING" && (innermost(position).dueAt ?? 0) <= this.#clock.now();
  }

  async #step(execution: Execution): Promise<void> {
    const outcome = execution.eventCount < MAX_EVENTS ? await this.#outcomeOf(execution) : tooLong;
    if (!this.#closed) this.#store.save(execution, outcome, this.#clock.now());
  }

  #outcomeOf(execution: Execution): Promise<Outcome> {
    const machine = this.#machines.get(execution.machineArn);
    if (!machine) throw new Error(`no machine is registered as ${execution.machineArn}`);
    const facts = { ...execution, machineName: machine.name, input: parseInput(execution.input) };
    return step(machine.definition, execution.position, facts, { now: () => this.#clock.now(), invoke: this.#invoke });
  }

  #forgetTimer(arn: string): void {
    this.#timers.get(arn)?.cancel();
    this.#timers.delete(arn);
  }
}

const tooLong: Outcome = {
  status: "FAILED",
  error: "States.Runtime",
  cause: `The execution reached the maximum number of history events (${MAX_EVENTS})`,
  events: [],
};

function parseInput(input: string): Json {
  try {
    return JSON.parse(input);
  } catch {
    throw new StatesError("InvalidExecutionInput", "Invalid State Machine Execution Input: not JSON");
  }
}
