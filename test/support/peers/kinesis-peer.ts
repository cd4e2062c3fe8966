import { once } from "node:events";
import { createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import * as z from "zod";

const putRecords = z.strictObject({
  StreamARN: z.string(),
  Records: z.array(z.strictObject({ Data: z.base64(), PartitionKey: z.string().min(1).max(256) })).max(500),
});

/** A record as a consumer of the stream reads it. */
export interface StreamRecord {
  readonly stream: string;
  readonly partitionKey: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly data: any;
}

/**
 * A Kinesis server that implements PutRecords over HTTP/2 without TLS. Stores accepted records and rejects those that
 * the test selects.
 */
export class KinesisPeer {
  readonly records: StreamRecord[] = [];
  /** Number of records in each request, including rejected ones. */
  readonly requests: number[] = [];
  isRefused: (record: StreamRecord) => boolean = () => false;
  isDown = false;
  readonly #server: Http2Server;

  private constructor(server: Http2Server) {
    this.#server = server;
  }

  static async start(): Promise<KinesisPeer> {
    const server = createServer();
    const peer = new KinesisPeer(server);
    server.on("request", async (request, response) => {
      const isKnown = request.headers["x-amz-target"] === "Kinesis_20131202.PutRecords";
      const status = peer.isDown ? 500 : isKnown ? 200 : 400;
      const body = status === 200 ? peer.#put(putRecords.parse(await json(request))) : { __type: "InternalFailure" };
      response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return peer;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Accepts no more connections; open ones end with the process. */
  stop(): void {
    this.#server.close();
  }

  #put({ StreamARN: stream, Records }: z.output<typeof putRecords>): object {
    this.requests.push(Records.length);
    const results = Records.map(({ Data, PartitionKey: partitionKey }) => {
      const record = { stream, partitionKey, data: JSON.parse(Buffer.from(Data, "base64").toString("utf8")) };
      if (this.isRefused(record)) return { ErrorCode: "ProvisionedThroughputExceededException", ErrorMessage: "slow" };
      return { ShardId: "shardId-000000000000", SequenceNumber: String(this.records.push(record)) };
    });
    return { FailedRecordCount: results.filter((result) => "ErrorCode" in result).length, Records: results };
  }
}
