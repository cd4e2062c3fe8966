import { randomBytes, randomUUID } from "node:crypto";
import { VirtualClock } from "./clock.ts";
import type { DataDirectory } from "./data-directory.ts";
import { createTables, type DynamodbEngine, startDynamodb } from "./engines/dynamodb.ts";
import { kmsEngine } from "./engines/kms.ts";
import { bucketsOf, type S3Engine, startS3 } from "./engines/s3.ts";
import { type LocalSecret, secretsManagerEngine, secretsOf } from "./engines/secrets-manager.ts";
import { declareEvents, deliverTo } from "./event-targets.ts";
import { EventBus } from "./events/event-bus.ts";
import { handleEvents } from "./events/events-protocol.ts";
import { ScheduleRunner } from "./events/schedule-runner.ts";
import { AwsError } from "./front/aws-error.ts";
import { catalogueOf } from "./front/catalogue.ts";
import { Changes } from "./front/changes.ts";
import { Faults } from "./front/faults.ts";
import { Front } from "./front/front.ts";
import { policiesOf } from "./front/function-policies.ts";
import { Meter } from "./front/meter.ts";
import type { Statement } from "./front/policy.ts";
import { enterEnvironment } from "./functions/aws-environment.ts";
import { FunctionHost } from "./functions/function-host.ts";
import { Mappings } from "./mappings/mappings.ts";
import { QueueEngine } from "./sqs/queue-engine.ts";
import { handleSqs } from "./sqs/sqs-protocol.ts";
import { StateMachines } from "./states/state-machines.ts";
import { handleStates } from "./states/states-protocol.ts";
import { type Assembly, readAssembly } from "./template/assembly.ts";
import { functionsOf, machinesOf, queuesOf } from "./template/wiring.ts";

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

const CLOCK_FILE = "clock.json";

/** Global under which handlers find their clock and random generator; see lib/runtime/ports.ts. */
const PORTS = Symbol.for("tributary.ports");

/** Runs all resources of the synthesized templates on this machine, on one virtual clock. */
export class LocalCloud {
  readonly clock: VirtualClock;
  readonly assembly: Assembly;
  readonly front: Front;
  readonly host: FunctionHost;
  readonly queues: QueueEngine;
  readonly bus: EventBus;
  readonly machines: StateMachines;
  readonly mappings: Mappings;
  readonly faults = new Faults();
  readonly changes = new Changes((name) => this.mappings.nudge(name));
  readonly meter: Meter;
  readonly schedules: ScheduleRunner;
  readonly dynamodb: DynamodbEngine;
  readonly s3: S3Engine;
  readonly secrets: readonly LocalSecret[];
  /** IAM statements of each function, by its physical name. The front reads them at each request. */
  readonly policies: Map<string, readonly Statement[]>;
  readonly #data: DataDirectory;

  /** Starts all engines. Functions can be invoked once the promise resolves. */
  static async start(options: LocalCloudOptions): Promise<LocalCloud> {
    const front = await Front.listen(0);
    const place = { region: options.region, queueOrigin: front.origin, apiOrigins: options.apiOrigins };
    const assembly = readAssembly(options.assemblyDirectory, place);
    const dynamodb = await startDynamodb(options.data.file("dynamodb.sqlite"));
    const [s3] = await Promise.all([
      startS3({ directory: options.data.file("s3"), buckets: bucketsOf(assembly) }),
      createTables(dynamodb.origin, assembly),
    ]);
    return new LocalCloud(options, { front, assembly, dynamodb, s3 });
  }

  private constructor(options: LocalCloudOptions, started: Pick<LocalCloud, "front" | "assembly" | "dynamodb" | "s3">) {
    const { data } = options;
    this.#data = data;
    this.front = started.front;
    this.assembly = started.assembly;
    this.dynamodb = started.dynamodb;
    this.s3 = started.s3;
    this.secrets = secretsOf(this.assembly, (name) => data.file(name));
    this.policies = policiesOf(this.assembly);
    const kept = data.read(CLOCK_FILE) as { offset_ms?: number } | undefined;
    this.clock = new VirtualClock(kept?.offset_ms ?? 0);
    this.meter = new Meter(() => this.clock.now());
    this.host = new FunctionHost({
      clock: this.clock,
      localOrigin: this.front.origin,
      callerKey: this.front.callerKey,
      answer: (request) => this.front.answer(request),
      log: options.log,
    });
    this.queues = new QueueEngine(data.file("queues.sqlite"), this.clock);
    this.machines = new StateMachines({
      clock: this.clock,
      databasePath: data.file("states.sqlite"),
      invoke: (functionArn, payload) => this.host.invoke(functionArn, payload),
    });
    this.bus = new EventBus({ path: data.file("bus.sqlite"), clock: this.clock, deliver: deliverTo(this) });
    this.schedules = new ScheduleRunner(this.bus, this.clock, (targets) =>
      // The last segment of a function's ARN is its physical name.
      this.changes.begin(targets.map((arn) => arn.slice(arn.lastIndexOf(":") + 1))),
    );
    this.#openFront(options);
    this.#enterRuntime(options);
    for (const queue of queuesOf(this.assembly)) this.queues.createQueue(queue);
    this.mappings = new Mappings(this, data.file("streams.sqlite"));
    declareEvents(this.bus, this.assembly);
    for (const machine of machinesOf(this.assembly)) this.machines.register(machine);
  }

  /**
   * Moves the clock forward and runs everything that becomes due on the way, in time order.
   * @returns the new time, epoch ms.
   */
  async advance(milliseconds: number, settle: () => Promise<void>): Promise<number> {
    const until = this.clock.now() + milliseconds;
    // Written before anything runs: after a crash the clock must not be behind an instant that is already stored.
    this.#data.write(CLOCK_FILE, { offset_ms: this.clock.offsetMs + milliseconds });
    await this.schedules.advanceTo(until, settle);
    this.#data.write(CLOCK_FILE, { offset_ms: this.clock.offsetMs });
    return this.clock.now();
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
    await this.front.close();
    await Promise.all([this.dynamodb.stop(), this.s3.stop()]);
  }

  #openFront({ data, observer }: LocalCloudOptions): void {
    const { region, account } = this.assembly;
    this.front.serve({
      policies: this.policies,
      catalogue: catalogueOf(this.assembly),
      faults: this.faults,
      meter: this.meter,
      changes: this.changes,
      now: () => this.clock.now(),
      ...(observer ? { observer } : {}),
      engines: {
        dynamodb: this.dynamodb.origin,
        s3: this.s3,
        kms: kmsEngine(data.file("kms.key")),
        secretsmanager: secretsManagerEngine(this.secrets),
        sqs: (operation, body) => handleSqs(this.queues, operation, body),
        events: async (operation, body) =>
          unwrapped(await handleEvents(this.bus, operation, body, { accountId: account, region })),
        states: async (operation, body) => unwrapped(await handleStates(this.machines, operation, body)),
      },
    });
  }

  /** Sets the environment and the virtual clock of the handlers. */
  #enterRuntime({ environment, region }: LocalCloudOptions): void {
    enterEnvironment(this.front, region, environment);
    const ids = { uuid: () => randomUUID(), bytes: (length: number) => randomBytes(length) };
    const outbound = async <T>(call: () => Promise<T>, about = "") => {
      if (this.host.isOver) throw new Error("the invocation is over");
      const caller = this.host.currentFunction ?? "";
      this.changes.noteOutside(caller);
      return this.faults.run({ service: "http", function: caller, about: () => about }, call);
    };
    Object.assign(globalThis, { [PORTS]: { clock: { now: () => this.clock.now() }, ids, outbound } });
    for (const fn of functionsOf(this.assembly)) this.host.register(fn);
  }

  /** Starts the background tasks: retries of the bus and schedules. */
  beginWork(): void {
    this.bus.start();
    this.schedules.start();
  }
}

/** The body of a successful response. @throws AwsError for any other status. */
function unwrapped({ status, body }: { status: number; body: Record<string, unknown> }): object {
  if (status === 200) return body;
  throw new AwsError(status, String(body.__type ?? "InternalFailure"), String(body.message ?? body.Message ?? ""));
}
