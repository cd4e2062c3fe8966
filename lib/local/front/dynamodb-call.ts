import { crc32 } from "node:zlib";
import * as z from "zod";
import type { Answer } from "./aws-error.ts";
import type { AwsRequest } from "./aws-request.ts";
import type { Catalogue } from "./catalogue.ts";
import type { DynamodbLine } from "./dynamodb-line.ts";
import { itemSize } from "./item-size.ts";
import type { Units } from "./meter.ts";
import { writtenNames } from "./written-names.ts";

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
const refused = z.object({ __type: z.string(), Item: z.record(z.string(), z.unknown()).default({}) });
const onTable = z.object({ TableName: z.string() });

/** A response of DynamoDB and the capacity units that it consumed, by table. */
export interface MeteredAnswer {
  readonly answer: Answer;
  readonly units: ReadonlyMap<string, Units>;
  /** Names of what the request may have written, see {@link Changes}. */
  readonly written: readonly string[];
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
  engine: DynamodbLine,
  request: AwsRequest,
  catalogue: Catalogue,
): Promise<MeteredAnswer> {
  const { operation, body } = request;
  if (!reads.has(operation) && !writes.has(operation)) {
    return { answer: await engine.send(request), units: new Map(), written: [] };
  }
  const wasAskedFor = (body.ReturnConsumedCapacity ?? "NONE") !== "NONE";
  const asking = wasAskedFor ? body : { ...body, ReturnConsumedCapacity: "INDEXES" };
  const answer = await engine.send(request, encode(asking));
  if (answer.status !== 200) return { answer, units: unitsOfRefusal(request, answer), written: [] };
  const { consumed: told, rest } = meteredOf(answer);
  const wholeItem = operation === "GetItem" && body.ProjectionExpression !== undefined;
  const consumed = wholeItem ? await unitsOfWholeItem(engine, request) : told;
  const units = consumed.map(({ TableName, CapacityUnits }) => [TableName, asUnits(operation, CapacityUnits)] as const);
  const written = writes.has(operation) ? told.flatMap((one) => writtenNames(one, request, rest, catalogue)) : [];
  return { answer: wasAskedFor ? answer : withBody(answer, rest), units: new Map(units), written };
}

async function unitsOfWholeItem(engine: DynamodbLine, request: AwsRequest) {
  const { ProjectionExpression: _, ExpressionAttributeNames: __, ...whole } = request.body;
  const answer = await engine.send(request, encode({ ...whole, ReturnConsumedCapacity: "TOTAL" }));
  return meteredOf(answer).consumed;
}

/** Splits a response into its consumed capacity and the rest, which is not validated because it may be long. */
function meteredOf({ body }: Answer) {
  const { ConsumedCapacity = [], ...rest }: Record<string, unknown> = JSON.parse(body.toString());
  return { consumed: oneOrMany.parse(ConsumedCapacity), rest };
}

function unitsOfRefusal({ operation, body }: AwsRequest, answer: Answer): Map<string, Units> {
  const error = refused.safeParse(JSON.parse(answer.body.toString()));
  if (!error.data?.__type.endsWith("#ConditionalCheckFailedException")) return new Map();
  const writeUnits = Math.max(1, Math.ceil(itemSize(error.data.Item) / 1024));
  return new Map([[onTable.parse(body).TableName, asUnits(operation, writeUnits)]]);
}

function asUnits(operation: string, units: number): Units {
  return reads.has(operation) ? { read: units, write: 0 } : { read: 0, write: units };
}

/** Replaces the body of a response and updates the checksum header of DynamoDB. */
function withBody(answer: Answer, content: object): Answer {
  const body = encode(content);
  const headers = { ...answer.headers, "content-length": String(body.length), "x-amz-crc32": String(crc32(body)) };
  return { status: answer.status, headers, body };
}

function encode(content: object): Buffer {
  return Buffer.from(JSON.stringify(content));
}
