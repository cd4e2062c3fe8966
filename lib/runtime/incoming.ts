import type { DynamoDBRecord, SQSRecord } from "aws-lambda";
import { PermanentError } from "./errors.ts";
import { Log } from "./log.ts";

/** What stands for a message among the dead letters. Like the message itself it carries ids at most. */
export interface Letter {
  readonly body: string;
  /** The id under which the message's history is found in the log. */
  readonly messageId: string;
  readonly groupId?: string | undefined;
}

/** One message of a queue or one new item of a stream, on its way to a consumer. */
export interface Incoming {
  readonly log: Log;
  readonly letter: Letter;
  /** The content, for the consumer's schema to judge. @throws PermanentError when it can not even be read. */
  readonly read: () => unknown;
}

/** A message of a queue. */
export function fromQueue(operation: string, record: SQSRecord): Incoming {
  const { messageId, body } = record;
  const { MessageGroupId: groupId } = record.attributes;
  return {
    log: new Log({ operation, message_id: messageId }),
    letter: { body, messageId, groupId },
    read: () => {
      try {
        return JSON.parse(body);
      } catch (cause) {
        throw new PermanentError("the message is not JSON", { cause });
      }
    },
  };
}

/** A new item of a stream: its texts and numbers. Its keys stand for it among the dead letters, since the rest is data. */
export function fromStream(operation: string, { eventID: messageId = "", dynamodb = {} }: DynamoDBRecord): Incoming {
  return {
    log: new Log({ operation, event_id: messageId }),
    letter: { body: JSON.stringify(plain(dynamodb.Keys)), messageId },
    read: () => plain(dynamodb.NewImage),
  };
}

function plain(image: NonNullable<DynamoDBRecord["dynamodb"]>["NewImage"] = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(image).map(([name, value]) => [name, value.S ?? (value.N ? Number(value.N) : undefined)]),
  );
}
