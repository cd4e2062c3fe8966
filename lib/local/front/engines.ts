import type { Answer } from "./aws-error.ts";
import type { AwsRequest } from "./aws-request.ts";
import type { Catalogue } from "./catalogue.ts";
import { callDynamodb, type MeteredAnswer } from "./dynamodb-call.ts";
import { DynamodbLine } from "./dynamodb-line.ts";
import { Forwarder } from "./forwarder.ts";

/** An engine inside this process: does one API operation. Errors carry `status`, `type` and `message`. */
export type Engine = (operation: string, body: Readonly<Record<string, unknown>>) => Promise<object>;

/** What stands behind the front: origins of engines that speak HTTP, functions for those in this process. */
export interface Engines {
  readonly dynamodb: string;
  readonly s3: { readonly origin: string; readonly authorization: string };
  readonly sqs: Engine;
  readonly events: Engine;
  readonly states: Engine;
  readonly kms: Engine;
  readonly secretsmanager: Engine;
}

/** Takes each request to its engine. */
export class EngineRouter {
  readonly #engines: Engines;
  readonly #catalogue: Catalogue;
  readonly #dynamodb: DynamodbLine;
  readonly #s3: Forwarder;

  constructor(engines: Engines, catalogue: Catalogue) {
    this.#engines = engines;
    this.#catalogue = catalogue;
    this.#dynamodb = new DynamodbLine(engines.dynamodb);
    this.#s3 = new Forwarder(engines.s3.origin, { authorization: engines.s3.authorization });
  }

  /** The engine's answer as it is. @throws whatever an engine in this process throws. */
  async send(request: AwsRequest): Promise<Answer> {
    const { service, operation, body } = request;
    if (service === "dynamodb") return this.#dynamodb.send(request);
    if (service === "s3") return this.#s3.send(request);
    const result = await this.#engines[service](operation, body);
    const headers = { "content-type": "application/x-amz-json-1.0" };
    return { status: 200, headers, body: Buffer.from(JSON.stringify(result)) };
  }

  /** The engine's answer and, for DynamoDB, the capacity units it took by table. */
  async sendMetered(request: AwsRequest): Promise<MeteredAnswer> {
    if (request.service === "dynamodb") return callDynamodb(this.#dynamodb, request, this.#catalogue);
    return { answer: await this.send(request), units: new Map(), written: [] };
  }

  close(): void {
    this.#dynamodb.close();
    this.#s3.close();
  }
}
