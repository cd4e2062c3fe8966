import * as z from "zod";
import { DynamodbConnectionPool } from "../aws-proxy/dynamodb-connection-pool.ts";

/** One change of a table. Images have the JSON format of Lambda events. */
const record = z.object({
  eventID: z.string().optional(),
  eventName: z.string().optional(),
  dynamodb: z.object({
    Keys: z.record(z.string(), z.unknown()).default({}),
    NewImage: z.record(z.string(), z.unknown()).default({}),
    SequenceNumber: z.string(),
  }),
});
export type StreamRecord = z.output<typeof record>;

const responseSchemas = {
  ListStreams: z.object({ Streams: z.tuple([z.object({ StreamArn: z.string() })], z.unknown()) }),
  DescribeStream: z.object({
    StreamDescription: z.object({ Shards: z.array(z.object({ ShardId: z.string() })).min(1) }),
  }),
  GetShardIterator: z.object({ ShardIterator: z.string() }),
  GetRecords: z.object({ Records: z.array(record).default([]), NextShardIterator: z.string().optional() }),
};
type Operation = keyof typeof responseSchemas;

/** The engine requires credentials, but does not verify them. */
const REQUEST_HEADERS = {
  "content-type": "application/x-amz-json-1.0",
  "x-amz-date": "20200101T000000Z",
  authorization:
    "AWS4-HMAC-SHA256 Credential=local/20200101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=local",
};

/** The stream of a table. The local cloud polls it in every pause, so it uses a faster client than the SDK's. */
export class TableStream {
  readonly #tableName: string;
  readonly #line: DynamodbConnectionPool;

  /** @param origin of the DynamoDB engine. */
  constructor(origin: string, tableName: string) {
    this.#tableName = tableName;
    this.#line = new DynamodbConnectionPool(origin);
  }

  /** A shard iterator after the record with this sequence number, or at the start of the stream. */
  async iteratorAfter(sequence: string | undefined): Promise<string> {
    const { Streams } = await this.#ask("ListStreams", { TableName: this.#tableName });
    const [{ StreamArn }] = Streams;
    const { StreamDescription } = await this.#ask("DescribeStream", { StreamArn });
    const ShardId = StreamDescription.Shards.at(-1)?.ShardId;
    const from = sequence
      ? { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: sequence }
      : { ShardIteratorType: "TRIM_HORIZON" };
    return (await this.#ask("GetShardIterator", { StreamArn, ShardId, ...from })).ShardIterator;
  }

  /** Reads up to `most` records from an iterator. @returns the records and the next iterator. */
  async read(iterator: string, most: number): Promise<{ records: StreamRecord[]; next: string | undefined }> {
    const answer = await this.#ask("GetRecords", { ShardIterator: iterator, Limit: most });
    return { records: answer.Records, next: answer.NextShardIterator };
  }

  close(): void {
    this.#line.close();
  }

  /** @throws Error for any status other than 200. */
  async #ask<Of extends Operation>(operation: Of, asked: object): Promise<z.output<(typeof responseSchemas)[Of]>> {
    const headers = { ...REQUEST_HEADERS, "x-amz-target": `DynamoDBStreams_20120810.${operation}` };
    const raw = Buffer.from(JSON.stringify(asked));
    const { status, body } = await this.#line.send({ method: "POST", path: "/", headers, raw });
    const content: unknown = JSON.parse(body.toString());
    if (status !== 200) throw new Error(`${operation} of ${this.#tableName}: ${body}`);
    return responseSchemas[operation].parse(content) as z.output<(typeof responseSchemas)[Of]>;
  }
}
