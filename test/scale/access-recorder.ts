import type { KeyUse } from "../../lib/local/aws-proxy/key-meter.ts";
import type { MeterSnapshot } from "../../lib/local/aws-proxy/meter.ts";
import type { TestService } from "../support/service.ts";

/** What functions did since the last look: key uses, counts of the meter, and the invocations of each function. */
export interface RecordedAccess {
  readonly uses: readonly KeyUse[];
  readonly meter: MeterSnapshot;
  /** By physical name. */
  readonly invocations: ReadonlyMap<string, number>;
  /** Messages by queue name; a request may carry ten. */
  readonly messages: ReadonlyMap<string, number>;
}

/** Records the partition keys, requests, messages and invocations of a running service. */
export class AccessRecorder {
  readonly #service: TestService;
  #invocations = new Map<string, number>();
  #messages = new Map<string, number>();

  constructor(service: TestService) {
    this.#service = service;
    const { host, queues, meter } = service.cloud;
    const invoke = host.invoke.bind(host);
    const send = queues.send.bind(queues);
    meter.keys.start();
    host.invoke = (nameOrArn, event) => {
      count(this.#invocations, nameOrArn.slice(nameOrArn.lastIndexOf(":") + 1));
      return invoke(nameOrArn, event);
    };
    queues.send = (url, message) => {
      count(this.#messages, url.slice(url.lastIndexOf("/") + 1));
      return send(url, message);
    };
  }

  /** Runs `work` and returns what functions did meanwhile. */
  async record(work: () => Promise<void>): Promise<RecordedAccess> {
    const { meter } = this.#service.cloud;
    await this.#service.settle();
    meter.keys.take();
    meter.reset();
    [this.#invocations, this.#messages] = [new Map(), new Map()];
    await work();
    await this.#service.settle();
    const uses = meter.keys.take();
    return { uses, meter: meter.snapshot(), invocations: this.#invocations, messages: this.#messages };
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
