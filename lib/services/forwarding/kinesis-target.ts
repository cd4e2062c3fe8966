import { KinesisClient, PutRecordsCommand } from "@aws-sdk/client-kinesis";
import { clientByRegion, type ForwardTarget, type OutgoingEvent } from "./forward-events.ts";

const clientFor = clientByRegion((region) => new KinesisClient({ region }));

/** Keeps events of one user in order. Events of the team itself share the team's id. */
const partitionKey = ({ event }: OutgoingEvent) => event.user_id || event.team_id;

/** Forwards to Kinesis streams, one record per event (Kinesis API reference, PutRecords). */
export const kinesisTarget: ForwardTarget = {
  operation: "forwardToKinesis",
  maxEntries: 500,
  maxRequestBytes: 5 * 1_048_576,
  maxEntryBytes: 1_048_576,
  sizeOf: (one) => Buffer.byteLength(one.body) + Buffer.byteLength(partitionKey(one)),
  async send(arn, request) {
    const Records = request.map((one) => ({ Data: Buffer.from(one.body), PartitionKey: partitionKey(one) }));
    const answer = await clientFor(arn).send(new PutRecordsCommand({ StreamARN: arn, Records }));
    const refusals = request.flatMap((one, index) => {
      const result = answer.Records?.[index];
      if (result?.SequenceNumber) return [];
      return [[one, new Error(`the stream refused the event: ${result?.ErrorCode ?? "no answer"}`)] as const];
    });
    return new Map(refusals);
  },
};
