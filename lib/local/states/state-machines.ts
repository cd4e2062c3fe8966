import { randomUUID } from "node:crypto";
import type { Timer, VirtualClock } from "../clock.ts";
import { parseDefinition, type StateMachineDefinition } from "./asl-definition.ts";
import { runStep, type StepOutcome, startExecution } from "./asl-interpreter.ts";
import { type Execution, ExecutionStore, type HistoryEvent } from "./execution-store.ts";
import type { Json } from "./json-path.ts";
import { innermostFrame, resetRetries } from "./position.ts";
import { StatesError } from "./states-error.ts";

/** A state machine, as the template declares it. `definition` is JSON text with all intrinsic functions resolved. */
export interface MachineDeclaration {
  readonly name: string;
  readonly arn: string;
  readonly definition: string;
}

/** Options of the executor. */
export interface StateMachinesOptions {
  readonly clock: VirtualClock;
  /** The SQLite file, created if missing; ":memory:" for no persistence. */
  readonly databasePath: string;
  /** Invokes a function. Rejects with an Error whose name is the Lambda error type. */
  invoke(functionArn: string, payload: Json): Promise<unknown>;
}

/** Maximum number of history events (Step Functions guide, "Service quotas"). Also ends an infinite loop. */
const MAX_EVENTS = 25_000;

/** Valid execution names: characters and length (API reference, "StartExecution"). */
const EXECUTION_NAME = /^[^\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]{1,80}$/u;

/**
 * Standard workflows on the virtual clock. Each transition is committed before the next state runs, so an execution
 * continues after a killed process in the state that it had entered. A running task is then repeated: tasks run at
 * least once and must be idempotent, as in AWS.
 */
export class StateMachines {
  readonly #clock: VirtualClock;
  readonly #store: ExecutionStore;
  readonly #invoke: StateMachinesOptions["invoke"];
  readonly #machines = new Map<string, { readonly name: string; readonly definition: StateMachineDefinition }>();
  readonly #running = new Set<string>();
  readonly #timers = new Map<string, Timer>();
  #closed = false;

  constructor({ clock, databasePath, invoke }: StateMachinesOptions) {
    this.#clock = clock;
    this.#store = new ExecutionStore(databasePath);
    this.#invoke = invoke;
  }

  /**
   * Adds a state machine or replaces its definition, and resumes its open executions of earlier processes with the new
   * definition. Register a machine only when its functions can be invoked.
   * @throws Error for an invalid definition or an unsupported feature.
   */
  register({ name, arn, definition }: MachineDeclaration): void {
    this.#machines.set(arn, { name, definition: parseDefinition(definition) });
    for (const execution of this.#store.listByMachine(arn, "RUNNING")) this.#resume(execution.arn);
  }

  /**
   * Starts an execution. A running execution with the same name and input is returned as it is.
   * Names are never free again (in AWS after 90 days). @throws StatesError
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
    const begun = startExecution(machine.definition, parseInput(input), startedAt);
    this.#store.insert({ arn, machineArn, name, input, startedAt }, begun);
    this.#resume(arn);
    return this.describe(arn);
  }

  /** Ends a running execution as ABORTED. A closed execution stays as it is. @throws StatesError */
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
    return this.#store.listByMachine(machineArn, status);
  }

  /** The history of an execution, oldest event first. @throws StatesError ExecutionDoesNotExist */
  history(arn: string): HistoryEvent[] {
    return this.#store.listEvents(this.describe(arn).arn);
  }

  /** Continues a failed or aborted execution in its last state, with that state's input. @throws StatesError */
  redrive(arn: string): Execution {
    const { status, position } = this.describe(arn);
    if (status !== "FAILED" && status !== "ABORTED")
      throw new StatesError("ExecutionNotRedrivable", `Execution is not redrivable in status ${status}: '${arn}'`);
    this.#store.reopen(arn, resetRetries(position), this.#clock.now());
    this.#resume(arn);
    return this.describe(arn);
  }

  /** Number of executions that run now, without those that wait for a later instant. */
  pending(): number {
    return this.#running.size;
  }

  /** Closes the file and cancels the timers. Open executions resume when their machine is registered again. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const arn of [...this.#timers.keys()]) this.#forgetTimer(arn);
    this.#store.close();
  }

  #resume(arn: string): void {
    const { machineArn, position } = this.describe(arn);
    const { dueAt = 0 } = innermostFrame(position);
    if (!this.#machines.has(machineArn)) return;
    this.#forgetTimer(arn);
    if (dueAt > this.#clock.now())
      this.#timers.set(
        arn,
        this.#clock.at(dueAt, () => this.#runDue(arn)),
      );
    else void this.#run(arn);
  }

  #runDue(arn: string): Promise<void> {
    this.#timers.delete(arn);
    return this.#run(arn);
  }

  /** Steps until the execution waits or is closed. Reads the stored execution before each step. */
  async #run(arn: string): Promise<void> {
    if (this.#running.has(arn)) return;
    this.#running.add(arn);
    while (!this.#closed && this.#isDue(arn)) await this.#step(this.describe(arn));
    this.#running.delete(arn);
    if (!this.#closed && this.describe(arn).status === "RUNNING") this.#resume(arn);
  }

  #isDue(arn: string): boolean {
    const { status, position } = this.describe(arn);
    return status === "RUNNING" && (innermostFrame(position).dueAt ?? 0) <= this.#clock.now();
  }

  async #step(execution: Execution): Promise<void> {
    const outcome = execution.eventCount < MAX_EVENTS ? await this.#outcomeOf(execution) : TOO_MANY_EVENTS;
    if (!this.#closed) this.#store.save(execution, outcome, this.#clock.now());
  }

  #outcomeOf(execution: Execution): Promise<StepOutcome> {
    const machine = this.#machines.get(execution.machineArn);
    if (!machine) throw new Error(`the state machine ${execution.machineArn} is not registered`);
    const facts = { ...execution, machineName: machine.name, input: parseInput(execution.input) };
    return runStep(machine.definition, execution.position, facts, {
      now: () => this.#clock.now(),
      invoke: this.#invoke,
    });
  }

  #forgetTimer(arn: string): void {
    this.#timers.get(arn)?.cancel();
    this.#timers.delete(arn);
  }
}

const TOO_MANY_EVENTS: StepOutcome = {
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
