import type { Answer } from "./aws-error.ts";
import type { AwsRequest } from "./aws-request.ts";
import type { Catalogue } from "./catalogue.ts";
import { callDynamodb, type MeteredAnswer } from "./dynamodb-call.ts";
import { DynamodbLine } from "./dynamodb-line.ts";
import { Forwarder } from "./forwarder.ts";

/** An in-process engine. Runs one API operation. Its errors carry `status`, `type` and `message`. */
export type Engine = (operation: string, body: Readonly<Record<string, unknown>>) => Promise<object>;

/** The engines of all services: origins of HTTP engines, functions for in-process engines. */
export interface Engines {
  readonly dynamodb: string;
  readonly s3: { readonly origin: string; readonly authorization: string };
  readonly sqs: Engine;
  readonly events: Engine;
  readonly states: Engine;
  readonly kms: Engine;
  readonly secretsmanager: Engine;
}

/** Routes each request to its engine. */
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

  /** Sends a request to its engine. @throws the error of an in-process engine. */
  async send(request: AwsRequest): Promise<Answer> {
    const { service, operation, body } = request;
    if (service === "dynamodb") return this.#dynamodb.send(request);
    if (service === "s3") return this.#s3.send(request);
    const result = await this.#engines[service](operation, body);
    const headers = { "content-type": "application/x-amz-json-1.0" };
    return { status: 200, headers, body: Buffer.from(JSON.stringify(result)) };
  }

  /** Sends a request to its engine and, for DynamoDB, measures the consumed capacity units by table. */
  async sendMetered(request: AwsRequest): Promise<MeteredAnswer> {
    if (request.service === "dynamodb") return callDynamodb(this.#dynamodb, request, this.#catalogue);
    return { answer: await this.send(request), units: new Map(), written: [] };
  }

  close(): void {
    this.#dynamodb.close();
    this.#s3.close();
  }
}
