import { AsyncLocalStorage } from "node:async_hooks";
import type { VirtualClock } from "../clock.ts";
import { captureConsole } from "./capture-console.ts";
import { answerDirectly, type Door } from "./direct-requests.ts";
import { FunctionError } from "./function-error.ts";
import { type LambdaContext, type LocalFunction, lambdaContext } from "./lambda-context.ts";
import { loadHandler } from "./load-handler.ts";
import { nameCallers } from "./name-callers.ts";
import { SharedEnvironment } from "./shared-environment.ts";

export interface FunctionHostOptions {
  readonly clock: Pick<VirtualClock, "now">;
  /** Where the local services are; requests to there carry the calling function's name. */
  readonly localOrigin: string;
  /** What shows there who calls; without it nobody asks. */
  readonly callerKey?: string;
  /** Answers requests of SDK clients to the local services; by default they go there over HTTP. */
  readonly answer?: Door["answer"];
  /** Gets every line that a function writes to the console, in place of the console. */
  readonly log?: (functionName: string, line: string) => void;
}

/**
 * After how many calls to the outside an invocation dies, as if its machine had: neither its answer nor what it still
 * asks for reaches anybody. Undefined where it lives.
 */
export type Mortality = (functionName: string, event: unknown) => number | undefined;

interface Invocation {
  readonly functionName: string;
  readonly die: () => void;
  callsLeft: number;
  /** It timed out or died. */
  isOver: boolean;
}

/**
 * Runs Lambda functions in this process. Each keeps its own name in all it does, also at one time with others: the
 * requests it makes to the local services carry it, although its code knows nothing of that.
 */
export class FunctionHost {
  readonly #options: FunctionHostOptions;
  readonly #functions = new Map<string, LocalFunction>();
  readonly #environment = new SharedEnvironment();
  readonly #running = new Set<Promise<unknown>>();
  readonly #invocation = new AsyncLocalStorage<Invocation>();
  readonly #endings: readonly (() => void)[];
  #ended = 0;
  /** Which invocations die, for tests. */
  mortality: Mortality = () => undefined;

  constructor(options: FunctionHostOptions) {
    const { localOrigin, callerKey = "", answer, log } = options;
    this.#options = options;
    const currentCaller = () => this.#currentCaller();
    const endings = [nameCallers({ localOrigin, callerKey, currentCaller })];
    const toLog = (line: string) => {
      const invocation = this.#invocation.getStore();
      if (!invocation) return false;
      log?.(invocation.functionName, line);
      return true;
    };
    if (answer) {
      // What answers is no part of the invocation that asks: it makes requests of its own.
      const outside = AsyncLocalStorage.snapshot();
      const door: Door = { origin: localOrigin, currentCaller, answer: (request) => outside(answer, request) };
      endings.push(answerDirectly(door));
    }
    if (log) endings.push(captureConsole(toLog));
    this.#endings = endings;
  }

  /** Invocations that have not been answered. */
  get inFlight(): number {
    return this.#running.size;
  }

  /** Invocations that have been answered since the start. */
  get ended(): number {
    return this.#ended;
  }

  /** Name of the function in whose invocation this is asked. */
  get currentFunction(): string | undefined {
    return this.#invocation.getStore()?.functionName;
  }

  /** Whether the invocation in which this is asked is over, so that nothing of it may go out any more. */
  get isOver(): boolean {
    return this.#invocation.getStore()?.isOver === true;
  }

  /** Settles once nothing is in flight. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  /**
   * Makes a function known by its name and its ARN. Its module is imported at the first invocation.
   * @throws Error when another function has the name, or another value for one environment variable.
   */
  register(fn: LocalFunction): void {
    if (this.#functions.has(fn.name)) throw new Error(`the function ${fn.name} is registered already`);
    this.#environment.declare(fn.name, fn.environment);
    this.#functions.set(fn.name, fn);
    this.#functions.set(fn.arn, fn);
  }

  /**
   * Calls a function; event and result pass as JSON, as in Lambda.
   * @throws FunctionError when the function fails or takes too long; Error when there is no such function.
   */
  async invoke(nameOrArn: string, event: unknown): Promise<unknown> {
    const fn = this.#functions.get(nameOrArn);
    if (!fn) throw new Error(`there is no function ${nameOrArn}`);
    const work = this.#run(fn, event);
    this.#running.add(work);
    try {
      return await work;
    } catch (thrown) {
      throw FunctionError.from(thrown);
    } finally {
      this.#running.delete(work);
      this.#ended += 1;
    }
  }

  /** Ends what the host does to requests and the console of this process. */
  close(): void {
    for (const end of this.#endings) end();
  }

  /** A function that is over is as good as killed: what it still asks of the local services has no caller. */
  #currentCaller(): string | undefined {
    const invocation = this.#invocation.getStore();
    if (!invocation) return undefined;
    if (invocation.callsLeft === 0) invocation.die();
    invocation.callsLeft -= 1;
    return invocation.isOver ? undefined : invocation.functionName;
  }

  async #run(fn: LocalFunction, event: unknown): Promise<unknown> {
    const { promise: ending, reject } = Promise.withResolvers<never>();
    const end = (error: FunctionError) => {
      invocation.isOver = true;
      reject(error);
    };
    const callsLeft = this.mortality(fn.name, event) ?? Number.POSITIVE_INFINITY;
    const invocation: Invocation = { functionName: fn.name, die: () => end(died()), callsLeft, isOver: false };
    return this.#invocation.run(invocation, async () => {
      // As in Lambda, loading the module does not count towards the function's time.
      const handler = await loadHandler(fn);
      const context = lambdaContext(fn, this.#options.clock);
      const timer = setTimeout(() => end(timedOut(fn, context)), fn.timeoutS * 1_000);
      const handling = (async () => toJson(await handler(toJson(event), context)))();
      const answer = Promise.race([handling, ending]).finally(() => clearTimeout(timer));
      return callsLeft === Number.POSITIVE_INFINITY ? answer : answer.then(() => Promise.reject(died()));
    });
  }
}

/** A value as it is after a passage as JSON; nothing at all becomes null. @throws Error for what JSON cannot hold. */
function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? "null");
}

function timedOut({ timeoutS }: LocalFunction, { awsRequestId }: LambdaContext): FunctionError {
  const message = `RequestId: ${awsRequestId} Error: Task timed out after ${timeoutS.toFixed(2)} seconds`;
  return new FunctionError("Sandbox.Timedout", message);
}

const died = () => new FunctionError("Runtime.ExitError", "Error: Runtime exited");
