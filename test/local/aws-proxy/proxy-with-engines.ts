import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { AwsError } from "../../../lib/local/aws-proxy/aws-error.ts";
import { AwsProxy } from "../../../lib/local/aws-proxy/aws-proxy.ts";
import { CALLER_HEADER, CALLER_KEY_HEADER, LOCAL_CALLER } from "../../../lib/local/aws-proxy/aws-request.ts";
import type { Engine } from "../../../lib/local/aws-proxy/engine-router.ts";
import { FaultInjector } from "../../../lib/local/aws-proxy/fault-injector.ts";
import { readFunctionPolicies } from "../../../lib/local/aws-proxy/function-policies.ts";
import { Meter } from "../../../lib/local/aws-proxy/meter.ts";
import { createResourceIndex } from "../../../lib/local/aws-proxy/resource-index.ts";
import { findEngine } from "../../../lib/local/engines/engine-binary.ts";
import { type S3Engine, startS3 } from "../../../lib/local/engines/s3.ts";
import { findFreePort } from "../../../lib/local/free-port.ts";
import { SecurityTokenService } from "../../../lib/local/sts/security-token-service.ts";
import { type SampleApp, sampleApp } from "../template/sample-app.ts";

const dynoxide = findEngine() ?? "dynoxide";

interface Backends {
  readonly dynamodb: ChildProcess;
  readonly dynamodbOrigin: string;
  readonly s3: S3Engine;
}

/** The sample app behind a proxy with real DynamoDB and S3 engines, and a stub for other services. */
export class ProxyWithEngines {
  readonly front: AwsProxy;
  readonly app: SampleApp;
  readonly faults = new FaultInjector();
  readonly meter = new Meter(() => 0);
  /** Time of the clock, epoch ms. */
  now = 0;
  /** Observed permissions, one line for each use. */
  readonly used: string[] = [];
  /** Operations that reached the stub engine. */
  readonly reached: string[] = [];
  /** Physical name of the function with most grants. */
  readonly putUser: string;
  readonly table: { name: string; arn: string };
  /** A client of the function {@link putUser}. */
  readonly documents: DynamoDBDocumentClient;
  readonly #backends: Backends;

  static async start(): Promise<ProxyWithEngines> {
    const port = await findFreePort();
    const dynamodb = spawn(dynoxide, ["--port", String(port), "--host", "127.0.0.1"], { stdio: "ignore" });
    const dynamodbOrigin = `http://127.0.0.1:${port}`;
    while (!(await fetch(dynamodbOrigin).catch(() => undefined))) await sleep(20);
    const s3 = await startS3({ buckets: [] });
    const cloud = new ProxyWithEngines(await AwsProxy.listen(0), { dynamodb, dynamodbOrigin, s3 });
    await cloud.#create();
    return cloud;
  }

  private constructor(front: AwsProxy, backends: Backends) {
    this.front = front;
    this.app = sampleApp(front.origin);
    this.#backends = backends;
    const stub: Engine = (operation, body) => {
      this.reached.push(operation);
      return stubAnswer(operation, body);
    };
    const { dynamodbOrigin, s3 } = backends;
    front.serve({
      policies: readFunctionPolicies(this.app.assembly),
      resourceIndex: createResourceIndex(this.app.assembly),
      engines: {
        dynamodb: dynamodbOrigin,
        s3,
        sqs: stub,
        events: stub,
        states: stub,
        kms: stub,
        secretsmanager: stub,
        sts: new SecurityTokenService(this.app.assembly, front, { now: () => this.now }),
      },
      faults: this.faults,
      meter: this.meter,
      now: () => this.now,
      observer: (...words) => void this.used.push(words.join(" ")),
    });
    useEndpoints(front);
    this.putUser = this.resource("AWS::Lambda::Function", "PutUser").name;
    this.table = this.resource("AWS::DynamoDB::Table");
    this.documents = DynamoDBDocumentClient.from(sendAs(this.putUser, new DynamoDBClient()));
  }

  async #create(): Promise<void> {
    const { properties = {} } = this.app.assembly.resources.find(({ arn }) => arn === this.table.arn) ?? {};
    const input = { AttributeDefinitions: [], KeySchema: [], ...properties, TableName: this.table.name };
    await sendAs(LOCAL_CALLER, new DynamoDBClient()).send(new CreateTableCommand(input));
    const Bucket = this.resource("AWS::S3::Bucket").name;
    await sendAs(LOCAL_CALLER, new S3Client()).send(new CreateBucketCommand({ Bucket }));
  }

  /** Creates an item of the sample table, with a text of the given size in bytes. */
  item(pk: string, bytes = 0) {
    return { pk, sk: "user", team: "team#1", text: "x".repeat(bytes) };
  }

  put(pk: string, bytes = 0) {
    return this.documents.send(new PutCommand({ TableName: this.table.name, Item: this.item(pk, bytes) }));
  }

  /** Queries the table or an index; `:key` is `team#1`. */
  query(KeyConditionExpression: string, IndexName?: string) {
    const condition = { KeyConditionExpression, ExpressionAttributeValues: { ":key": "team#1" } };
    const index = IndexName === undefined ? {} : { IndexName };
    return this.documents.send(new QueryCommand({ TableName: this.table.name, ...condition, ...index }));
  }

  /** Clears faults and counts. */
  reset(): void {
    this.faults.clear();
    this.meter.reset();
    this.used.length = 0;
    this.reached.length = 0;
  }

  /** Returns physical name, ARN and Ref of the resource whose logical id starts with `logicalId`. */
  resource(type: string, logicalId = ""): { name: string; arn: string; ref: string } {
    const found = this.app.assembly.resources.find((one) => one.type === type && one.logicalId.startsWith(logicalId));
    if (!found) throw new Error(`the sample app has no ${type} ${logicalId}`);
    return { name: found.name, arn: found.arn ?? "", ref: found.ref ?? "" };
  }

  async stop(): Promise<void> {
    await this.front.close();
    const { dynamodb, s3 } = this.#backends;
    await s3.stop();
    dynamodb.kill();
    await once(dynamodb, "exit");
    this.app.remove();
  }
}

/** Response of the stub engine; a message `lost` is for a queue that does not exist. */
async function stubAnswer(operation: string, body: Readonly<Record<string, unknown>>): Promise<object> {
  if (body.MessageBody === "lost") {
    const headers = { "x-amzn-query-error": "AWS.SimpleQueueService.NonExistentQueue;Sender" };
    throw new AwsError(400, "com.amazonaws.sqs#QueueDoesNotExist", "no such queue", { headers });
  }
  const MD5OfMessageBody = createHash("md5").update(String(body.MessageBody)).digest("hex");
  return { operation, MessageId: "1", MD5OfMessageBody, KeyId: "key", executionArn: "execution", FailedEntryCount: 0 };
}

/** Key of the proxy in use. */
let keyInUse = "";

/** Configures SDK clients by the environment alone, as in a function. */
function useEndpoints({ origin, callerKey, secretAccessKey }: AwsProxy): void {
  const credentials = { AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: secretAccessKey };
  Object.assign(process.env, { AWS_REGION: "eu-central-1", ...credentials });
  keyInUse = callerKey;
  for (const service of ["DYNAMODB", "SQS", "EVENTBRIDGE", "SFN", "KMS", "S3"]) {
    process.env[`AWS_ENDPOINT_URL_${service}`] = origin;
  }
}

interface SdkClient {
  readonly config: { requestHandler: { handle(request: { headers: object }, options?: object): Promise<object> } };
}

/** Makes a client send requests as this caller, as the function host does for a function. */
export function sendAs<C extends SdkClient>(caller: string, client: C, key?: string): C {
  const { requestHandler } = client.config;
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = (request, options) => {
    Object.assign(request.headers, { [CALLER_HEADER]: caller, [CALLER_KEY_HEADER]: key ?? keyInUse });
    return handle(request, options);
  };
  return client;
}
