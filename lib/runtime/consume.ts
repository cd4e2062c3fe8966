import { BatchProcessor, EventType, processPartialResponse } from "@aws-lambda-powertools/batch";
import middy from "@middy/core";
import type { Context, DynamoDBRecord, SQSRecord } from "aws-lambda";
import type * as z from "zod";
import type { ConsumerContract } from "../contract/consumer.ts";
import { moveToDeadLetters } from "./aws/dead-letters.ts";
import { type GrantedDependencies, resolveDependencies } from "./dependencies.ts";
import { errorSummary } from "./error-summary.ts";
import { PermanentError } from "./errors.ts";
import { fromQueueRecord, fromStreamRecord, type IncomingMessage } from "./incoming-message.ts";
import { Log } from "./log.ts";
import { outsideOfSpans, Span } from "./span.ts";

/** One message with its log. Delivery is at least once, so the consumer must be idempotent. */
interface MessageDelivery<C extends ConsumerContract> {
  readonly message: z.output<C["message"]>;
  readonly log: Log;
  readonly span: Span;
  /** When the message entered its queue, epoch ms; undefined for other sources. */
  readonly sentMs: number | undefined;
  /** Whether the queue delivered the message before. */
  readonly isRedelivered: boolean;
}

/** A message of a batch that failed, with its error. */
interface MessageFailure<C extends ConsumerContract> {
  readonly delivery: MessageDelivery<C>;
  readonly error: unknown;
}

type Operation<C extends ConsumerContract> = (
  delivery: MessageDelivery<C>,
  deps: GrantedDependencies<C["access"]>,
) => Promise<unknown>;
type BatchOperation<C extends ConsumerContract> = (
  deliveries: readonly MessageDelivery<C>[],
  deps: GrantedDependencies<C["access"]>,
) => Promise<readonly MessageFailure<C>[]>;
export type ConsumerHandler = (event: never, context: Context) => Promise<unknown>;

/**
 * Turns a consumer contract and a function into a Lambda handler. For queues and streams the function runs once per
 * message. Lambda retries failed messages only; a {@link PermanentError} moves its message to the dead-letter queue at
 * once. For tasks and schedules the function runs once, and its result is the answer.
 */
export function consume<C extends ConsumerContract>(contract: C, operation: Operation<C>): ConsumerHandler {
  const run = async (raw: unknown, about: Omit<MessageDelivery<C>, "message">) =>
    operation({ message: parse(contract, raw), ...about }, await resolveUses(contract));
  if (contract.trigger.kind === "queue" || contract.trigger.kind === "stream") {
    const one = async ({ read, ...about }: IncomingMessage) => run(read(), about);
    return createSourceHandler(contract, () => one);
  }
  return middy((event: unknown, context: Context) => {
    const span = new Span((event as { readonly traceparent?: string } | null)?.traceparent);
    const { traceId: trace_id } = span.context;
    const log = new Log({ operation: contract.operationId, request_id: context.awsRequestId, trace_id });
    const about = { log, span, sentMs: undefined, isRedelivered: false };
    return span
      .record(log, () => logFailure(log, () => run(event, about)))
      .catch((error) => {
        throw withoutMessage(error);
      });
  });
}

/**
 * Like {@link consume}, for a queue or stream whose messages are processed together. The function gets all messages
 * that match the schema in one call and returns the failures. If the function throws, all messages failed.
 */
export function consumeBatch<C extends ConsumerContract>(contract: C, operation: BatchOperation<C>): ConsumerHandler {
  const run = async (all: readonly IncomingMessage[]): Promise<ReadonlyMap<IncomingMessage, unknown>> => {
    const failed = new Map<IncomingMessage, unknown>();
    const sources = new Map<MessageDelivery<C>, IncomingMessage>();
    for (const incoming of all) {
      try {
        const { read, ...about } = incoming;
        sources.set({ message: parse(contract, read()), ...about }, incoming);
      } catch (error) {
        failed.set(incoming, error);
      }
    }
    const failures = sources.size === 0 ? [] : await operation([...sources.keys()], await resolveUses(contract));
    for (const { delivery, error } of failures) failed.set(sources.get(delivery) as IncomingMessage, error);
    return failed;
  };
  return createSourceHandler(contract, (all) => {
    let outcome: ReturnType<typeof run> | undefined;
    return async (one) => {
      outcome ??= all.length > 1 ? outsideOfSpans(() => run(all)) : run(all);
      const failed = await outcome;
      if (failed.has(one)) throw failed.get(one);
    };
  });
}

function parse<C extends ConsumerContract>(contract: C, raw: unknown): z.output<C["message"]> {
  const parsed = contract.message.safeParse(raw);
  if (!parsed.success) throw new PermanentError("the message does not match its schema");
  return parsed.data as z.output<C["message"]>;
}

const resolveUses = async <C extends ConsumerContract>({ access }: C) =>
  (await resolveDependencies(access)) as GrantedDependencies<C["access"]>;

/** Takes all messages of an invocation. Returns the function that consumes one of them. */
type ConsumerFactory = (all: readonly IncomingMessage[]) => (one: IncomingMessage) => Promise<unknown>;

/** Returns a handler for queue or stream records. Its answer names the records to retry (`batchItemFailures`). */
function createSourceHandler(contract: ConsumerContract, work: ConsumerFactory): ConsumerHandler {
  const { operationId, trigger } = contract;
  const isQueue = trigger.kind === "queue";
  const type = isQueue ? EventType.SQS : EventType.DynamoDBStreams;
  const read = (record: SQSRecord | DynamoDBRecord) =>
    isQueue
      ? fromQueueRecord(operationId, record as SQSRecord)
      : fromStreamRecord(operationId, record as DynamoDBRecord);
  return middy(async (event: { Records: (SQSRecord | DynamoDBRecord)[] }, context: Context) => {
    const incoming = new Map(event.Records.map((record) => [record, read(record)]));
    const consumeOne = work([...incoming.values()]);
    const one = async (record: SQSRecord | DynamoDBRecord) => {
      const message = incoming.get(record) as IncomingMessage;
      const { span, log } = message;
      await span.run(() => deadLetterIfPermanent(contract, message, () => span.record(log, () => consumeOne(message))));
    };
    // A processor holds the state of one batch, and several invocations run in one process locally.
    const processor = new BatchProcessor(type);
    return processPartialResponse(event, one, processor, { context, throwOnFullBatchFailure: false });
  });
}

async function deadLetterIfPermanent(
  contract: ConsumerContract,
  message: IncomingMessage,
  work: () => Promise<unknown>,
) {
  try {
    await logFailure(message.log, work);
  } catch (error) {
    if (!(error instanceof PermanentError) || !(await moveToDeadLetters(contract, message, error))) throw error;
  }
}

/**
 * Returns an error without message and stack. Lambda passes the message of a thrown error to the caller, whose
 * execution history stores it. The function's log has the details.
 */
function withoutMessage(error: unknown): Error {
  const failure = new Error("the function failed; see its log");
  return Object.assign(failure, { name: errorSummary(error).error, stack: "" });
}

/** Logs a failure before the message returns to the queue. The message id ties all attempts together. */
async function logFailure<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    log.error("message not consumed", error);
    throw error;
  }
}
