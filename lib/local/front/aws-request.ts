import type { IncomingMessage } from "node:http";
import { isRecord } from "../template/intrinsics.ts";
import { AwsError } from "./aws-error.ts";

/** The request header that names the calling function by its physical name. */
export const CALLER_HEADER = "x-caller";

/** The request header that shows, over a connection, that the runner itself has named the caller. */
export const CALLER_KEY_HEADER = "x-caller-key";

/** The caller that the runner itself is: not held to any policy, not metered, not struck by faults. */
export const LOCAL_CALLER = "local";

/** The services behind the front, by the prefix of their IAM actions. */
export type Service = "dynamodb" | "sqs" | "events" | "states" | "kms" | "secretsmanager" | "s3";

/** A request as it arrived. */
export interface ArrivedRequest {
  readonly method: string;
  /** Path with query string. */
  readonly path: string;
  /** By names in lower case. */
  readonly headers: IncomingMessage["headers"];
  readonly raw: Buffer;
}

/** One request as an SDK client sent it. */
export interface AwsRequest extends ArrivedRequest {
  readonly service: Service;
  /** API operation, for example `PutItem`; for S3 the method. */
  readonly operation: string;
  /** The parsed body of a JSON request; empty for S3. */
  readonly body: Readonly<Record<string, unknown>>;
}

const services: Readonly<Record<string, Service>> = {
  DynamoDB_20120810: "dynamodb",
  DynamoDBStreams_20120810: "dynamodb",
  AmazonSQS: "sqs",
  AWSEvents: "events",
  AWSStepFunctions: "states",
  TrentService: "kms",
  secretsmanager: "secretsmanager",
};

/**
 * Tells of a request by its `X-Amz-Target` header which service it is for; S3 alone sends none.
 * All services can therefore share one origin, whatever path a client puts behind it.
 * @throws AwsError for a service that is not there, or a body that is not a JSON object.
 */
export function toAwsRequest(arrived: ArrivedRequest): AwsRequest {
  const target = arrived.headers["x-amz-target"];
  if (typeof target !== "string") return { ...arrived, service: "s3", operation: arrived.method, body: {} };
  const [prefix = "", operation = ""] = target.split(".");
  const service = services[prefix];
  if (!service) throw new AwsError(400, "UnknownOperationException", `the local cloud has no service for ${target}`);
  return { ...arrived, service, operation, body: parseBody(arrived.raw) };
}

/** All bytes of a request or response. */
export async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  return Buffer.concat(parts);
}

function parseBody(raw: Buffer): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(raw.toString("utf8") || "{}");
    if (isRecord(body)) return body;
  } catch {
    // Answered below like any other body that is not an object.
  }
  throw new AwsError(400, "SerializationException", "the request body is not a JSON object");
}
