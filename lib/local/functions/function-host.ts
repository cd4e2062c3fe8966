import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingRequest } from "../aws-proxy/aws-request.ts";
import type { VirtualClock } from "../clock.ts";
import { addCallerHeaders } from "./add-caller-headers.ts";
import { captureConsole } from "./capture-console.ts";
import { FunctionAliases } from "./function-aliases.ts";
import { FunctionError } from "./function-error.ts";
import { type InProcessEndpoint, interceptRequests } from "./intercept-requests.ts";
import { createLambdaContext, type LambdaContext, type LocalFunction } from "./lambda-context.ts";
import { loadHandler } from "./load-handler.ts";
import { SharedEnvironment } from "./shared-environment.ts";

export interface FunctionHostOptions {
  readonly clock: Pick<VirtualClock, "now">;
  /** Origin of the local services. Requests to it carry the name of the calling function. */
  readonly localOrigin: string;
  /** Key that authenticates the caller's name there. */
  readonly callerKey?: string;
  /** Answers requests of SDK clients to the local services within the process. Over HTTP by default. */
  readonly answer?: InProcessEndpoint["answer"];
  /** Receives every line that a function writes to the console, instead of the console. */
  readonly log?: (functionName: string, line: string) => void;
}

/**
 * Number of outbound calls after which an invocation crashes, as if its machine had failed: its response and its
 * further requests are lost. Undefined for an invocation that does not crash.
 */
export type CrashPlan = (functionName: string, event: unknown) => number | undefined;

/** Decides when a request of an invocation to the local services is sent. Called in the context of the invocation. */
export type AdmitRequest = (
  request: IncomingRequest,
  send: InProcessEndpoint["answer"],
) => ReturnType<InProcessEndpoint["answer"]>;

interface Invocation {
  readonly functionName: string;
  readonly die: () => void;
  callsLeft: number;
  /** Whether the invocation timed out or crashed. */
  isOver: boolean;
}

/**
 * Runs Lambda functions in this process, also concurrently. The requests of each invocation to the local services carry
 * the name of its function, without any code in the function.
 */
export class FunctionHost {
  readonly #options: FunctionHostOptions;
  readonly aliases = new FunctionAliases();
  readonly #functions = new Map<string, LocalFunction>();
  readonly #environment = new SharedEnvironment();
  readonly #running = new Set<Promise<unknown>>();
  readonly #invocation = new AsyncLocalStorage<Invocation>();
  readonly #endings: readonly (() => void)[];
  #ended = 0;
  /** Selects the invocations that crash, for tests. */
  crashPlan: CrashPlan = () => undefined;
  /** Orders the requests of functions, for tests. Requests over HTTP are not asked about. */
  admitRequest: AdmitRequest = (request, send) => send(request);

  constructor(options: FunctionHostOptions) {
    const { localOrigin, callerKey = "", answer, log } = options;
    this.#options = options;
    const currentCaller = () => this.#currentCaller();
    const endings = [addCallerHeaders({ localOrigin, callerKey, currentCaller })];
    const toLog = (line: string) => {
      const invocation = this.#invocation.getStore();
      if (!invocation) return false;
      log?.(invocation.functionName, line);
      return true;
    };
    if (answer) {
      // The handler runs outside the context of the calling invocation, because it makes requests of its own.
      const outside = AsyncLocalStorage.snapshot();
      const door: InProcessEndpoint = {
        origin: localOrigin,
        currentCaller,
        answer: (request) => this.admitRequest(request, (admitted) => outside(answer, admitted)),
      };
      endings.push(interceptRequests(door));
    }
    if (log) endings.push(captureConsole(toLog));
    this.#endings = endings;
  }

  /** Number of running invocations. */
  get inFlight(): number {
    return this.#running.size;
  }

  /** Number of completed invocations since the start. */
  get ended(): number {
    return this.#ended;
  }

  /** Name of the function whose invocation runs the current code. */
  get currentFunction(): string | undefined {
    return this.#invocation.getStore()?.functionName;
  }

  /** Whether the invocation that runs the current code has timed out or crashed. Its calls must then be dropped. */
  get isInvocationOver(): boolean {
    return this.#invocation.getStore()?.isOver === true;
  }

  /** Resolves once no invocation runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  /**
   * Registers a function under its name and its ARN. The first invocation imports its module.
   * @throws Error when the name is taken, or another function has a different value for an environment variable.
   */
  register(fn: LocalFunction): void {
    if (this.#functions.has(fn.name)) throw new Error(`the function ${fn.name} is registered already`);
    this.#environment.declare(fn.name, fn.environment);
    this.#functions.set(fn.name, fn);
    this.#functions.set(fn.arn, fn);
  }

  /** Imports the module of a function, which otherwise its first invocation does. */
  async load(nameOrArn: string): Promise<void> {
    const fn = this.#functions.get(nameOrArn);
    if (fn) await loadHandler(fn);
  }

  /**
   * Invokes a function, or the version that an alias chooses. Event and result are passed as JSON, as in Lambda.
   * @throws FunctionError when the function fails or times out; Error for an unknown function.
   */
  async invoke(nameOrArn: string, event: unknown): Promise<unknown> {
    const version = this.aliases.choose(nameOrArn);
    const fn = version ?? this.#functions.get(nameOrArn);
    if (!fn) throw new Error(`the function ${nameOrArn} does not exist`);
    const work = this.#run(fn, event);
    this.#running.add(work);
    let hasFailed = false;
    try {
      return await work;
    } catch (thrown) {
      hasFailed = true;
      throw FunctionError.from(thrown);
    } finally {
      this.#running.delete(work);
      this.#ended += 1;
      if (version) this.aliases.observe(nameOrArn, version.version ?? "", hasFailed);
    }
  }

  /** Removes the hooks on requests and on the console of this process. */
  close(): void {
    for (const end of this.#endings) end();
  }

  /** The caller of a request. Requests of a timed-out or crashed invocation have none, so the services reject them. */
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
    const callsLeft = this.crashPlan(fn.name, event) ?? Number.POSITIVE_INFINITY;
    const invocation: Invocation = { functionName: fn.name, die: () => end(crashed()), callsLeft, isOver: false };
    return this.#invocation.run(invocation, async () => {
      // As in Lambda, loading the module does not count towards the timeout.
      const handler = await loadHandler(fn);
      const context = createLambdaContext(fn, this.#options.clock);
      const timer = setTimeout(() => end(timedOut(fn, context)), fn.timeoutS * 1_000);
      const handling = (async () => roundTripJson(await handler(roundTripJson(event), context)))();
      const answer = Promise.race([handling, ending]).finally(() => clearTimeout(timer));
      return callsLeft === Number.POSITIVE_INFINITY ? answer : answer.then(() => Promise.reject(crashed()));
    });
  }
}

/** Serializes and parses a value as JSON; undefined becomes null. @throws Error for a value that JSON cannot hold. */
function roundTripJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? "null");
}

function timedOut({ timeoutS }: LocalFunction, { awsRequestId }: LambdaContext): FunctionError {
  const message = `RequestId: ${awsRequestId} Error: Task timed out after ${timeoutS.toFixed(2)} seconds`;
  return new FunctionError("Sandbox.Timedout", message);
}

const crashed = () => new FunctionError("Runtime.ExitError", "Error: Runtime exited");
