import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { basename } from "node:path";
import { consumers } from "../../../functions/index.ts";
import { REQUEST_CHANNEL } from "../../../lib/local/aws-proxy/aws-proxy.ts";
import {
  CALLER_HEADER,
  type IncomingRequest,
  LOCAL_CALLER,
  toAwsRequest,
} from "../../../lib/local/aws-proxy/aws-request.ts";
import type { LocalCloud } from "../../../lib/local/local-cloud.ts";
import { readFunctions } from "../../../lib/local/template/read-functions.ts";
import { inferShape } from "./infer-shape.ts";
import { itemKindOf } from "./item-kind.ts";
import { listItemWrites, toPlainItem } from "./item-writes.ts";
import type { Shape } from "./shape.ts";

/** What a run of a version wrote. */
export interface RecordedFormats {
  /** Examples of messages by consumer, one for each set of fields. */
  readonly messages: Readonly<Record<string, readonly unknown[]>>;
  /** Shapes of stored items by kind. */
  readonly items: Readonly<Record<string, Shape>>;
}

const [MAX_EXAMPLES, MAX_EXAMPLE_BYTES] = [5, 4_000];

/** Records what functions receive and write during a run of the local cloud. */
export class FormatRecorder {
  readonly #consumers: ReadonlyMap<string, string>;
  readonly #cloud: LocalCloud;
  readonly #messages = new Map<string, Map<string, unknown>>();
  readonly #items = new Map<string, Map<string, unknown>>();

  constructor(cloud: LocalCloud) {
    this.#cloud = cloud;
    const names = new Set(consumers.map(({ operationId }) => operationId));
    const functions = readFunctions(cloud.assembly).map(({ name, directory }) => [name, basename(directory)] as const);
    this.#consumers = new Map(functions.filter(([, operationId]) => names.has(operationId)));
    const { crashPlan } = cloud.host;
    cloud.host.crashPlan = (name, event) => {
      this.#receive(name, event);
      return crashPlan(name, event);
    };
    subscribe(REQUEST_CHANNEL, this.#onRequest);
  }

  /** Ends the recording. */
  stop(): RecordedFormats {
    unsubscribe(REQUEST_CHANNEL, this.#onRequest);
    this.#cloud.host.crashPlan = () => undefined;
    const read = <T>(found: ReadonlyMap<string, ReadonlyMap<string, unknown>>, toResult: (values: unknown[]) => T) =>
      Object.fromEntries(
        [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, toResult([...v.values()])]),
      );
    return {
      messages: read(this.#messages, (values) => values.slice(0, MAX_EXAMPLES)),
      items: read(this.#items, inferShape),
    };
  }

  #receive(functionName: string, event: unknown): void {
    const operationId = this.#consumers.get(functionName);
    if (operationId === undefined) return;
    for (const message of messagesOf(event)) keep(this.#messages, operationId, message);
  }

  readonly #onRequest = (arrived: unknown): void => {
    const request = arrived as IncomingRequest;
    if (request.headers[CALLER_HEADER] === LOCAL_CALLER) return;
    const { service, operation, body } = toAwsRequest(request);
    if (service !== "dynamodb") return;
    for (const item of listItemWrites(operation, body)) keep(this.#items, itemKindOf(item), item);
  };
}

/** The messages of an invocation, as the consumer reads them: queue bodies, new items of a stream, the input of a task. */
function messagesOf(event: unknown): unknown[] {
  const { Records } = event as { Records?: readonly { body?: string; dynamodb?: { NewImage?: never } }[] };
  if (!Records) return [JSON.parse(JSON.stringify(event ?? null))];
  return Records.flatMap(({ body, dynamodb }) => {
    if (dynamodb) return [toPlainItem(dynamodb.NewImage ?? {})];
    try {
      return [JSON.parse(body ?? "")];
    } catch {
      // The story sends messages that are no JSON.
      return [];
    }
  });
}

/** Keeps one value for each set of fields. */
function keep(found: Map<string, Map<string, unknown>>, kind: string, value: unknown): void {
  const examples = found.get(kind) ?? new Map<string, unknown>();
  found.set(kind, examples);
  const fields = JSON.stringify(inferShape([value]).fields);
  if (!examples.has(fields) && JSON.stringify(value).length <= MAX_EXAMPLE_BYTES) examples.set(fields, value);
}
