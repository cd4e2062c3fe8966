import { randomBytes, randomUUID } from "node:crypto";
import { unwrapResponse } from "./aws-proxy/aws-error.ts";
import { AwsProxy } from "./aws-proxy/aws-proxy.ts";
import { FaultInjector } from "./aws-proxy/fault-injector.ts";
import { readFunctionPolicies } from "./aws-proxy/function-policies.ts";
import { Meter } from "./aws-proxy/meter.ts";
import type { Statement } from "./aws-proxy/policy.ts";
import { ReadWriteTracker } from "./aws-proxy/read-write-tracker.ts";
import { createResourceIndex } from "./aws-proxy/resource-index.ts";
import { VirtualClock } from "./clock.ts";
import type { DataDirectory } from "./data-directory.ts";
import { createTables, type DynamodbEngine, startDynamodb } from "./engines/dynamodb.ts";
import { createKmsEngine } from "./engines/kms.ts";
import { readBucketNames, type S3Engine, startS3 } from "./engines/s3.ts";
import { createSecretsManagerEngine, type LocalSecret, readSecrets } from "./engines/secrets-manager.ts";
import { EventSourceMappings } from "./event-source-mappings/event-source-mappings.ts";
import { addBusesAndRules, createEventDelivery } from "./event-targets.ts";
import { EventBus } from "./events/event-bus.ts";
import { handleEvents } from "./events/events-protocol.ts";
import { ScheduleRunner } from "./events/schedule-runner.ts";
import { setFunctionEnvironment } from "./functions/aws-environment.ts";
import { FunctionHost } from "./functions/function-host.ts";
import { registerFunctions } from "./functions/register-functions.ts";
import { QueueEngine } from "./sqs/queue-engine.ts";
import { handleSqs } from "./sqs/sqs-protocol.ts";
import { StateMachines } from "./states/state-machines.ts";
import { handleStates } from "./states/states-protocol.ts";
import { readClockOffset, StoredClock } from "./stored-clock.ts";
import { SecurityTokenService } from "./sts/security-token-service.ts";
import { type ResolvedAssembly, readAssembly } from "./template/read-assembly.ts";
import { readQueues, readStateMachines } from "./template/read-resources.ts";

/** Options of a local cloud. */
export interface LocalCloudOptions {
  /** Directory of the synthesized app. */
  readonly assemblyDirectory: string;
  readonly data: DataDirectory;
  readonly region: string;
  /** Origin of each HTTP API, by the API's name. */
  readonly apiOrigins: Readonly<Record<string, string>>;
  /** Environment variables of all functions, in addition to those of the templates. */
  readonly environment: Readonly<Record<string, string>>;
  /** Receives each line that a function logs. */
  readonly log: (functionName: string, line: string) => void;
  /** Called for every permission that a function uses. */
  readonly observer?: (caller: string, action: string, resource: string) => void;
}

/** Global under which handlers find their clock and random generator; see lib/runtime/ports.ts. */
const PORTS_KEY = Symbol.for("tributary.ports");

/** Runs all resources of the synthesized templates on this machine, on one virtual clock. */
export class LocalCloud {
  readonly clock: VirtualClock;
  readonly assembly: ResolvedAssembly;
  readonly awsProxy: AwsProxy;
  readonly host: FunctionHost;
  readonly queues: QueueEngine;
  readonly bus: EventBus;
  readonly machines: StateMachines;
  readonly mappings: EventSourceMappings;
  readonly faults = new FaultInjector();
  readonly readWriteTracker = new ReadWriteTracker((name) => this.mappings.notifyWrite(name));
  readonly meter: Meter;
  readonly schedules: ScheduleRunner;
  readonly dynamodb: DynamodbEngine;
  readonly s3: S3Engine;
  readonly secrets: readonly LocalSecret[];
  /** IAM statements of each function, by its physical name. The front reads them at each request. */
  readonly policies: Map<string, readonly Statement[]>;
  readonly #storedClock: StoredClock;

  /** Starts all engines. Functions can be invoked once the promise resolves. */
  static async start(options: LocalCloudOptions): Promise<LocalCloud> {
    const front = await AwsProxy.listen(0);
    const place = { region: options.region, queueOrigin: front.origin, apiOrigins: options.apiOrigins };
    const assembly = readAssembly(options.assemblyDirectory, place);
    const dynamodb = await startDynamodb(options.data.file("dynamodb.sqlite"));
    const [s3] = await Promise.all([
      startS3({ directory: options.data.file("s3"), buckets: readBucketNames(assembly) }),
      createTables(dynamodb.origin, assembly),
    ]);
    return new LocalCloud(options, { awsProxy: front, assembly, dynamodb, s3 });
  }

  private constructor(
    options: LocalCloudOptions,
    started: Pick<LocalCloud, "awsProxy" | "assembly" | "dynamodb" | "s3">,
  ) {
    const { data } = options;
    this.awsProxy = started.awsProxy;
    this.assembly = started.assembly;
    this.dynamodb = started.dynamodb;
    this.s3 = started.s3;
    this.secrets = readSecrets(this.assembly, (name) => data.file(name));
    this.policies = readFunctionPolicies(this.assembly);
    this.clock = new VirtualClock(readClockOffset(data));
    this.meter = new Meter(() => this.clock.now());
    this.host = new FunctionHost({
      clock: this.clock,
      localOrigin: this.awsProxy.origin,
      callerKey: this.awsProxy.callerKey,
      answer: (request) => this.awsProxy.answer(request),
      log: options.log,
    });
    this.queues = new QueueEngine(data.file("queues.sqlite"), this.clock);
    this.machines = new StateMachines({
      clock: this.clock,
      databasePath: data.file("states.sqlite"),
      invoke: (functionArn, payload) => this.host.invoke(functionArn, payload),
    });
    this.bus = new EventBus({ path: data.file("bus.sqlite"), clock: this.clock, deliver: createEventDelivery(this) });
    this.schedules = new ScheduleRunner(this.bus, this.clock, (targets) =>
      // The last segment of a function's ARN is its physical name.
      this.readWriteTracker.trackReads(targets.map((arn) => arn.slice(arn.lastIndexOf(":") + 1))),
    );
    this.#storedClock = new StoredClock(data, this.clock, this.schedules);
    this.#openFront(options);
    this.#enterRuntime(options);
    for (const queue of readQueues(this.assembly)) this.queues.createQueue(queue);
    this.mappings = new EventSourceMappings(this, data.file("streams.sqlite"));
    addBusesAndRules(this.bus, this.assembly);
    for (const machine of readStateMachines(this.assembly)) this.machines.register(machine);
  }

  /** Moves the clock forward, as {@link StoredClock.advance} does. @returns the new time, epoch ms. */
  advance(milliseconds: number, settle: () => Promise<void>): Promise<number> {
    return this.#storedClock.advance(milliseconds, settle);
  }

  /** Stops all engines. Their data stays for the next start. */
  async stop(): Promise<void> {
    this.clock.stop();
    await this.mappings.stop();
    await this.host.idle();
    this.host.close();
    this.bus.close();
    this.machines.close();
    this.queues.close();
    await this.awsProxy.close();
    await Promise.all([this.dynamodb.stop(), this.s3.stop()]);
  }

  #openFront({ data, observer }: LocalCloudOptions): void {
    const { region, account } = this.assembly;
    this.awsProxy.serve({
      policies: this.policies,
      resourceIndex: createResourceIndex(this.assembly),
      faults: this.faults,
      meter: this.meter,
      readWriteTracker: this.readWriteTracker,
      now: () => this.clock.now(),
      ...(observer ? { observer } : {}),
      engines: {
        dynamodb: this.dynamodb.origin,
        s3: this.s3,
        kms: createKmsEngine(data.file("kms.key")),
        secretsmanager: createSecretsManagerEngine(this.secrets),
        sts: new SecurityTokenService(this.assembly, this.awsProxy, this.clock),
        sqs: (operation, body) => handleSqs(this.queues, operation, body),
        events: async (operation, body) =>
          unwrapResponse(await handleEvents(this.bus, operation, body, { accountId: account, region })),
        states: async (operation, body) => unwrapResponse(await handleStates(this.machines, operation, body)),
      },
    });
  }

  /** Sets the environment and the virtual clock of the handlers. */
  #enterRuntime({ environment, region }: LocalCloudOptions): void {
    setFunctionEnvironment(this.awsProxy, region, environment);
    const ids = { uuid: () => randomUUID(), bytes: (length: number) => randomBytes(length) };
    const outbound = async <T>(call: () => Promise<T>, about = "") => {
      if (this.host.isInvocationOver) throw new Error("the invocation is over");
      const caller = this.host.currentFunction ?? "";
      this.readWriteTracker.recordExternalCall(caller);
      return this.faults.run({ service: "http", function: caller, fingerprint: () => about }, call);
    };
    Object.assign(globalThis, { [PORTS_KEY]: { clock: { now: () => this.clock.now() }, ids, outbound } });
    registerFunctions(this.host, this.assembly);
  }

  /** Starts the background tasks: retries of the bus and schedules. */
  startBackgroundTasks(): void {
    this.bus.start();
    this.schedules.start();
  }
}
