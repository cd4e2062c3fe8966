import type { IncomingMessage } from "node:http";
import { isJsonObject } from "../../domain/shared/json.ts";
import { AwsError } from "./aws-error.ts";

/** Request header with the physical name of the calling function. */
export const CALLER_HEADER = "x-caller";

/** Request header that proves, on a network connection, that the local cloud has set the caller header. */
export const CALLER_KEY_HEADER = "x-caller-key";

/** Caller name of the local cloud itself: exempt from policies, metering and faults. */
export const LOCAL_CALLER = "local";

/** The available AWS services, by the prefix of their IAM actions. */
export type AwsService = "dynamodb" | "sqs" | "events" | "states" | "kms" | "secretsmanager" | "sts" | "s3";

/** A request as received. */
export interface IncomingRequest {
  readonly method: string;
  /** Path with query string. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: IncomingMessage["headers"];
  readonly raw: Buffer;
}

/** A request to an AWS service. */
export interface AwsRequest extends IncomingRequest {
  readonly service: AwsService;
  /** API operation, for example `PutItem`. For S3 the HTTP method. */
  readonly operation: string;
  /** The parsed JSON body, or the fields of the form for STS. Empty for S3. */
  readonly body: Readonly<Record<string, unknown>>;
}

const services: Readonly<Record<string, AwsService>> = {
  DynamoDB_20120810: "dynamodb",
  DynamoDBStreams_20120810: "dynamodb",
  AmazonSQS: "sqs",
  AWSEvents: "events",
  AWSStepFunctions: "states",
  TrentService: "kms",
  secretsmanager: "secretsmanager",
};

/** Whether a request has the query protocol of STS, which sends a form. */
export const isQueryProtocol = ({ headers }: Pick<IncomingRequest, "headers">): boolean =>
  headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;

/**
 * Determines the service of a request by its `X-Amz-Target` header. Requests to STS have a form instead, and those to S3
 * have neither. All services can therefore share one origin.
 * @throws AwsError for an unknown service, or a body that is not a JSON object.
 */
export function toAwsRequest(arrived: IncomingRequest): AwsRequest {
  const target = arrived.headers["x-amz-target"];
  if (isQueryProtocol(arrived)) return toStsRequest(arrived);
  if (typeof target !== "string") return { ...arrived, service: "s3", operation: arrived.method, body: {} };
  const [prefix = "", operation = ""] = target.split(".");
  const service = services[prefix];
  if (!service) throw new AwsError(400, "UnknownOperationException", `the local cloud has no service for ${target}`);
  return { ...arrived, service, operation, body: parseBody(arrived.raw) };
}

function toStsRequest(arrived: IncomingRequest): AwsRequest {
  const body = Object.fromEntries(new URLSearchParams(arrived.raw.toString("utf8")));
  return { ...arrived, service: "sts", operation: body.Action ?? "", body };
}

/** Reads all bytes of a request or response. */
export async function readAllBytes(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  return Buffer.concat(parts);
}

function parseBody(raw: Buffer): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(raw.toString("utf8") || "{}");
    if (isJsonObject(body)) return body;
  } catch {
    // Rejected below, like any body that is not an object.
  }
  throw new AwsError(400, "SerializationException", "the request body is not a JSON object");
}

/**
 * Content of a request that identifies equal requests. The random token of a transaction is left out, and so is the
 * origin of the local services, whose port varies.
 */
export const requestFingerprint = ({ operation, path, raw }: AwsRequest, origin: string): string =>
  `${operation} ${path} ${raw
    .toString("latin1")
    .replace(/"ClientRequestToken":"[^"]*"/, "")
    .replaceAll(origin, "")}`;
