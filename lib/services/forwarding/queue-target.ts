import { type MessageAttributeValue, SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { PermanentError } from "../../runtime/errors.ts";
import { clientByRegion, type ForwardTarget, type OutgoingEvent } from "./forward-events.ts";

const MAX_ENTRY_BYTES = 1_048_576;

/** The region determines the endpoint. The queue URL only names the queue. */
const clientFor = clientByRegion((region) => new SQSClient({ region, useQueueUrlAsEndpoint: false }));

function queueUrl(arn: string): string {
  const [, partition, , region, account, name] = arn.split(":");
  const domain = partition === "aws-cn" ? "amazonaws.com.cn" : "amazonaws.com";
  return `https://sqs.${region}.${domain}/${account}/${name}`;
}

const text = (StringValue: string): MessageAttributeValue => ({ DataType: "String", StringValue });

/** Message attributes, so that consumers can filter without parsing the body. */
const messageAttributes = ({ event }: OutgoingEvent) => ({
  "event-type": text(event.type),
  "team-id": text(event.team_id),
  ...(event.user_id === "" ? {} : { "user-id": text(event.user_id) }),
  "idempotency-key": text(event.event_id),
});

function toBatchEntry(one: OutgoingEvent, index: number, isOrdered: boolean) {
  const { event_id, user_id, team_id } = one.event;
  return {
    Id: String(index),
    MessageBody: one.body,
    MessageAttributes: messageAttributes(one),
    MessageGroupId: user_id || team_id,
    ...(isOrdered ? { MessageDeduplicationId: event_id } : {}),
  };
}

/** Forwards to SQS queues. The events of a user are one message group (SQS API reference, SendMessageBatch). */
export const queueTarget: ForwardTarget = {
  operation: "forwardToQueue",
  maxEntries: 10,
  maxRequestBytes: MAX_ENTRY_BYTES,
  maxEntryBytes: MAX_ENTRY_BYTES,
  sizeOf: (one) => Buffer.byteLength(one.body) + Buffer.byteLength(JSON.stringify(messageAttributes(one))),
  async send(arn, request) {
    const Entries = request.map((one, index) => toBatchEntry(one, index, arn.endsWith(".fifo")));
    const answer = await clientFor(arn).send(new SendMessageBatchCommand({ QueueUrl: queueUrl(arn), Entries }));
    const refusals = (answer.Failed ?? []).map(({ Id, Code, SenderFault }) => {
      const reason = `the queue refused the event: ${Code}`;
      return [
        request[Number(Id)] as OutgoingEvent,
        SenderFault ? new PermanentError(reason) : new Error(reason),
      ] as const;
    });
    return new Map(refusals);
  },
};
