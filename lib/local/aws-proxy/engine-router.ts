import type { SecurityTokenService } from "../sts/security-token-service.ts";
import type { AwsResponse } from "./aws-error.ts";
import type { AwsRequest } from "./aws-request.ts";
import { callDynamodb, type MeteredResponse } from "./dynamodb-call.ts";
import { DynamodbConnectionPool } from "./dynamodb-connection-pool.ts";
import { HttpForwarder } from "./forwarder.ts";
import type { ResourceIndex } from "./resource-index.ts";

/** An in-process engine. Runs one API operation. Its errors carry `status`, `type` and `message`. */
export type Engine = (operation: string, body: Readonly<Record<string, unknown>>) => Promise<object>;

/** The engines of all services: origins of HTTP engines, functions or objects for in-process engines. */
export interface Engines {
  readonly dynamodb: string;
  readonly s3: { readonly origin: string; readonly authorization: string };
  readonly sqs: Engine;
  readonly events: Engine;
  readonly states: Engine;
  readonly kms: Engine;
  readonly secretsmanager: Engine;
  readonly sts: Pick<SecurityTokenService, "answer" | "findSession">;
}

/** Routes each request to its engine. */
export class EngineRouter {
  readonly #engines: Engines;
  readonly #catalogue: ResourceIndex;
  readonly #dynamodb: DynamodbConnectionPool;
  readonly #s3: HttpForwarder;

  constructor(engines: Engines, catalogue: ResourceIndex) {
    this.#engines = engines;
    this.#catalogue = catalogue;
    this.#dynamodb = new DynamodbConnectionPool(engines.dynamodb);
    this.#s3 = new HttpForwarder(engines.s3.origin, { authorization: engines.s3.authorization });
  }

  /** Sends a request to its engine. @throws the error of an in-process engine. */
  async send(request: AwsRequest): Promise<AwsResponse> {
    const { service, operation, body } = request;
    if (service === "dynamodb") return this.#dynamodb.send(request);
    if (service === "s3") return this.#s3.send(request);
    if (service === "sts") return this.#engines.sts.answer(request);
    const result = await this.#engines[service](operation, body);
    const headers = { "content-type": "application/x-amz-json-1.0" };
    return { status: 200, headers, body: Buffer.from(JSON.stringify(result)) };
  }

  /** Sends a request to its engine and, for DynamoDB, measures the consumed capacity units by table. */
  async sendMetered(request: AwsRequest): Promise<MeteredResponse> {
    if (request.service === "dynamodb") return callDynamodb(this.#dynamodb, request, this.#catalogue);
    return { answer: await this.send(request), units: new Map(), written: [], consumed: [] };
  }

  close(): void {
    this.#dynamodb.close();
    this.#s3.close();
  }
}
