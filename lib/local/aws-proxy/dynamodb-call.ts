import { crc32 } from "node:zlib";
import * as z from "zod";
import type { AwsResponse } from "./aws-error.ts";
import type { AwsRequest } from "./aws-request.ts";
import type { DynamodbConnectionPool } from "./dynamodb-connection-pool.ts";
import { itemSize } from "./item-size.ts";
import type { IndexedCapacity } from "./key-meter.ts";
import type { ConsumedUnits } from "./meter.ts";
import type { ResourceIndex } from "./resource-index.ts";
import { listWrittenResources } from "./written-resources.ts";

const reads = new Set(["GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems"]);
const writes = new Set([
  "PutItem",
  "UpdateItem",
  "DeleteItem",
  "BatchWriteItem",
  "BatchExecuteStatement",
  "TransactWriteItems",
]);

const consumedCapacity = z.object({
  TableName: z.string(),
  CapacityUnits: z.number(),
  Table: z.unknown().optional(),
  GlobalSecondaryIndexes: z.record(z.string(), z.unknown()).default({}),
});
const oneOrMany = z.union([z.array(consumedCapacity), consumedCapacity.transform((one) => [one])]);
const conditionFailure = z.object({ __type: z.string(), Item: z.record(z.string(), z.unknown()).default({}) });
const tableRequest = z.object({ TableName: z.string() });

/** A response of DynamoDB and the capacity units that it consumed, by table. */
export interface MeteredResponse {
  readonly answer: AwsResponse;
  readonly units: ReadonlyMap<string, ConsumedUnits>;
  /** Names of what the request may have written, see {@link Changes}. */
  readonly written: readonly string[];
  /** The capacity by table and index, as the engine reported it. */
  readonly consumed: readonly IndexedCapacity[];
}

/**
 * Sends a request to the DynamoDB engine and measures its consumed capacity. The function requests the consumed
 * capacity, and removes it from the response unless the caller requested it too. The engine under-reports in two cases:
 * - A GetItem with a projection consumes the capacity of the whole item. The function repeats it without projection.
 * - A failed conditional write consumes the units of the stored item, at least one (developer guide, "Capacity unit
 *   consumption for write operations").
 * A cancelled transaction counts as a request without units.
 */
export async function callDynamodb(
  engine: DynamodbConnectionPool,
  request: AwsRequest,
  catalogue: ResourceIndex,
): Promise<MeteredResponse> {
  const { operation, body } = request;
  if (!reads.has(operation) && !writes.has(operation)) {
    return { answer: await engine.send(request), units: new Map(), written: [], consumed: [] };
  }
  const wasAskedFor = (body.ReturnConsumedCapacity ?? "NONE") !== "NONE";
  const asking = wasAskedFor ? body : { ...body, ReturnConsumedCapacity: "INDEXES" };
  const answer = await engine.send(request, encode(asking));
  if (answer.status !== 200) {
    const failed = measureFailedWrite(request, answer);
    return { answer, units: failed, written: [], consumed: toTableCapacity(failed) };
  }
  const { consumed: reported, rest } = splitConsumedCapacity(answer);
  const wholeItem = operation === "GetItem" && body.ProjectionExpression !== undefined;
  const consumed = wholeItem ? await measureWholeItem(engine, request) : reported;
  const units = consumed.map(
    ({ TableName, CapacityUnits }) => [TableName, toCapacityUnits(operation, CapacityUnits)] as const,
  );
  const written = writes.has(operation)
    ? reported.flatMap((one) => listWrittenResources(one, request, rest, catalogue))
    : [];
  return { answer: wasAskedFor ? answer : withBody(answer, rest), units: new Map(units), written, consumed };
}

async function measureWholeItem(engine: DynamodbConnectionPool, request: AwsRequest) {
  const { ProjectionExpression: _, ExpressionAttributeNames: __, ...whole } = request.body;
  const answer = await engine.send(request, encode({ ...whole, ReturnConsumedCapacity: "TOTAL" }));
  return splitConsumedCapacity(answer).consumed;
}

/** Splits a response into its consumed capacity and the rest, which is not validated because it may be long. */
function splitConsumedCapacity({ body }: AwsResponse) {
  const { ConsumedCapacity = [], ...rest }: Record<string, unknown> = JSON.parse(body.toString());
  return { consumed: oneOrMany.parse(ConsumedCapacity), rest };
}

function measureFailedWrite({ operation, body }: AwsRequest, answer: AwsResponse): Map<string, ConsumedUnits> {
  const error = conditionFailure.safeParse(JSON.parse(answer.body.toString()));
  if (!error.data?.__type.endsWith("#ConditionalCheckFailedException")) return new Map();
  const writeUnits = Math.max(1, Math.ceil(itemSize(error.data.Item) / 1024));
  return new Map([[tableRequest.parse(body).TableName, toCapacityUnits(operation, writeUnits)]]);
}

/** A failed write touches no index. */
const toTableCapacity = (units: ReadonlyMap<string, ConsumedUnits>): IndexedCapacity[] =>
  [...units].map(([TableName, { read, write }]) => ({
    TableName,
    CapacityUnits: read + write,
    GlobalSecondaryIndexes: {},
  }));

function toCapacityUnits(operation: string, units: number): ConsumedUnits {
  return reads.has(operation) ? { read: units, write: 0 } : { read: 0, write: units };
}

/** Replaces the body of a response and updates the checksum header of DynamoDB. */
function withBody(answer: AwsResponse, content: object): AwsResponse {
  const body = encode(content);
  const headers = { ...answer.headers, "content-length": String(body.length), "x-amz-crc32": String(crc32(body)) };
  return { status: answer.status, headers, body };
}

function encode(content: object): Buffer {
  return Buffer.from(JSON.stringify(content));
}
