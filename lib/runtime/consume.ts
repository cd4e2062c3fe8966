import { BatchProcessor, EventType, processPartialResponse } from "@aws-lambda-powertools/batch";
import middy from "@middy/core";
import type { Context, DynamoDBRecord, DynamoDBStreamEvent, SQSEvent, SQSRecord } from "aws-lambda";
import type * as z from "zod";
import type { ConsumerContract } from "../contract/consumer.ts";
import { PermanentError } from "./errors.ts";
import { Log } from "./log.ts";
import { type Uses, usesOf } from "./uses.ts";

/** One message with a log; the function must be idempotent, because everything here is delivered at least once. */
export interface Delivery<C extends ConsumerContract> {
  readonly message: z.output<C["message"]>;
  readonly log: Log;
}

type Operation<C extends ConsumerContract> = (delivery: Delivery<C>, uses: Uses<C["access"]>) => Promise<unknown>;
export type ConsumerHandler = (event: never, context: Context) => Promise<unknown>;

/**
 * Turns a consumer contract and a function into a Lambda handler. Queues and streams: the function runs once per message
 * and only messages that failed come back. Tasks and schedules: it runs once, its result is the answer.
 */
export function consume<C extends ConsumerContract>(contract: C, operation: Operation<C>): ConsumerHandler {
  const run = async (raw: unknown, log: Log) => {
    const parsed = contract.message.safeParse(raw);
    if (!parsed.success) throw new PermanentError("the message does not fit its schema");
    const uses = (await usesOf(contract.access)) as Uses<C["access"]>;
    return operation({ message: parsed.data as z.output<C["message"]>, log }, uses);
  };
  const handlers = { queue: fromQueue, stream: fromStream, schedule: direct, task: direct };
  return handlers[contract.trigger.kind](contract, run);
}

type Run = (raw: unknown, log: Log) => Promise<unknown>;

function fromQueue(contract: ConsumerContract, run: Run): ConsumerHandler {
  const processor = new BatchProcessor(EventType.SQS);
  const one = async (record: SQSRecord) => {
    const log = new Log({ operation: contract.operationId, message_id: record.messageId });
    await logged(log, () => run(JSON.parse(record.body), log));
  };
  return middy((event: SQSEvent, context: Context) =>
    processPartialResponse(event, one, processor, { context, throwOnFullBatchFailure: false }),
  );
}

function fromStream(contract: ConsumerContract, run: Run): ConsumerHandler {
  const processor = new BatchProcessor(EventType.DynamoDBStreams);
  const one = async (record: DynamoDBRecord) => {
    const log = new Log({ operation: contract.operationId, event_id: record.eventID });
    const image = record.dynamodb?.NewImage ?? {};
    const item = Object.fromEntries(
      Object.entries(image).map(([name, value]) => [name, value.S ?? (value.N ? Number(value.N) : undefined)]),
    );
    await logged(log, () => run(item, log));
  };
  return middy((event: DynamoDBStreamEvent, context: Context) =>
    processPartialResponse(event, one, processor, { context, throwOnFullBatchFailure: false }),
  );
}

function direct(contract: ConsumerContract, run: Run): ConsumerHandler {
  return middy((event: unknown, context: Context) => {
    const log = new Log({ operation: contract.operationId, request_id: context.awsRequestId });
    return logged(log, () => run(event, log));
  });
}

/** Logs what failed before it goes back to the queue, so that a message's history can be read by its id. */
async function logged<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    log.error("message not consumed", error);
    throw error;
  }
}
