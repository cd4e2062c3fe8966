import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { BatchWriteCommand, type DynamoDBDocumentClient, QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Sample } from "../../lib/domain/timeseries/chunk/sample.ts";

const TABLE = "naive";
/** Maximum number of items in one BatchWriteItem request. */
const ITEMS_PER_REQUEST = 25;

/** The comparison design: one item per sample, 25 items per write request, range reads by time. */
export class NaiveStore {
  readonly #documents: DynamoDBDocumentClient;

  private constructor(documents: DynamoDBDocumentClient) {
    this.#documents = documents;
  }

  static async create(documents: DynamoDBDocumentClient): Promise<NaiveStore> {
    await documents.send(
      new CreateTableCommand({
        TableName: TABLE,
        BillingMode: "PAY_PER_REQUEST",
        KeySchema: [
          { AttributeName: "pk", KeyType: "HASH" },
          { AttributeName: "sk", KeyType: "RANGE" },
        ],
        AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" as const })),
      }),
    );
    return new NaiveStore(documents);
  }

  async write(user: string, samples: readonly Sample[]): Promise<void> {
    for (let first = 0; first < samples.length; first += ITEMS_PER_REQUEST) {
      const requests = samples.slice(first, first + ITEMS_PER_REQUEST).map((sample) => ({
        PutRequest: { Item: itemOf(user, sample) },
      }));
      await this.#documents.send(new BatchWriteCommand({ RequestItems: { [TABLE]: requests } }));
    }
  }

  /** Reads a range of samples. @returns the JSON response of this design, one object per sample. */
  async read(user: string, fromMs: number, toMs: number): Promise<string> {
    const data: object[] = [];
    let start: Record<string, unknown> | undefined;
    do {
      const page = await this.#documents.send(
        new QueryCommand({
          TableName: TABLE,
          KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
          ExpressionAttributeValues: {
            ":pk": `USER#${user}#TS#heartrate`,
            ":from": iso(fromMs),
            ":to": `${iso(toMs)}~`,
          },
          ...(start ? { ExclusiveStartKey: start } : {}),
        }),
      );
      for (const { timestamp, value, unit, timezone_offset } of page.Items ?? [])
        data.push({ id: null, timezone_offset, type: null, unit, timestamp, start: timestamp, end: timestamp, value });
      start = page.LastEvaluatedKey;
    } while (start);
    return JSON.stringify({ groups: { oura: [{ source: { provider: "oura", type: "ring" }, data }] } });
  }
}

const iso = (ms: number) => new Date(ms).toISOString();

function itemOf(user: string, { start, end, value, offsetS }: Sample) {
  const timestamp = iso(start);
  return {
    pk: `USER#${user}#TS#heartrate`,
    sk: `${timestamp}#oura#ring`,
    timestamp,
    ...(end === undefined ? {} : { end: iso(end) }),
    value,
    unit: "bpm",
    timezone_offset: offsetS,
    provider: "oura",
    source_type: "ring",
    created_at: timestamp,
  };
}

/** Bytes of one item by DynamoDB's rules: names and values, with about half a byte per digit of a number, plus one. */
export function naiveItemBytes(sample: Sample): number {
  const item: Record<string, unknown> = itemOf("8b9f31c4-2a41-4b53-9d4f-1c0f35f5c0aa", sample);
  return Object.entries(item).reduce((sum, [name, value]) => {
    const size = typeof value === "number" ? Math.ceil(String(value).length / 2) + 1 : String(value).length;
    return sum + name.length + size;
  }, 0);
}
