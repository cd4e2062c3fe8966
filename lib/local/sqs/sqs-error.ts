const SQS = "com.amazonaws.sqs";
const CORAL = "com.amazon.coral.service";

/** Status, wire type and query-protocol code of every error (SQS API Reference, Errors). */
const errorKinds = {
  QueueDoesNotExist: [400, `${SQS}#QueueDoesNotExist`, "AWS.SimpleQueueService.NonExistentQueue"],
  ResourceNotFoundException: [404, `${SQS}#ResourceNotFoundException`, "ResourceNotFoundException"],
  ReceiptHandleIsInvalid: [404, `${SQS}#ReceiptHandleIsInvalid`, "ReceiptHandleIsInvalid"],
  MessageNotInflight: [400, `${SQS}#MessageNotInflight`, "AWS.SimpleQueueService.MessageNotInflight"],
  InvalidMessageContents: [400, `${SQS}#InvalidMessageContents`, "InvalidMessageContents"],
  InvalidAttributeName: [400, `${SQS}#InvalidAttributeName`, "InvalidAttributeName"],
  EmptyBatchRequest: [400, `${SQS}#EmptyBatchRequest`, "AWS.SimpleQueueService.EmptyBatchRequest"],
  TooManyEntriesInBatchRequest: [
    400,
    `${SQS}#TooManyEntriesInBatchRequest`,
    "AWS.SimpleQueueService.TooManyEntriesInBatchRequest",
  ],
  BatchEntryIdsNotDistinct: [400, `${SQS}#BatchEntryIdsNotDistinct`, "AWS.SimpleQueueService.BatchEntryIdsNotDistinct"],
  InvalidBatchEntryId: [400, `${SQS}#InvalidBatchEntryId`, "AWS.SimpleQueueService.InvalidBatchEntryId"],
  BatchRequestTooLong: [400, `${SQS}#BatchRequestTooLong`, "AWS.SimpleQueueService.BatchRequestTooLong"],
  InvalidParameterValue: [400, `${CORAL}#InvalidParameterValueException`, "InvalidParameterValue"],
  UnknownOperation: [400, `${CORAL}#UnknownOperationException`, "UnknownOperationException"],
} as const;

/** The errors, by the name of the SDK's error class. */
export type SqsErrorKind = keyof typeof errorKinds;

/**
 * An error of the AWS JSON 1.0 protocol. `status`, `body` and `headers` form the HTTP response.
 * All are client errors. Any other thrown value is a defect and becomes a 500.
 */
export class SqsError extends Error {
  override readonly name = "SqsError";
  readonly kind: SqsErrorKind;
  readonly status: number;
  /** The `__type` on the wire, with its namespace. */
  readonly type: string;
  /** The code of the query protocol, which some SDKs still report. */
  readonly queryCode: string;

  constructor(kind: SqsErrorKind, message: string) {
    super(message);
    this.kind = kind;
    [this.status, this.type, this.queryCode] = errorKinds[kind];
  }

  get body(): { __type: string; message: string } {
    return { __type: this.type, message: this.message };
  }

  get headers(): { "x-amzn-query-error": string } {
    return { "x-amzn-query-error": `${this.queryCode};Sender` };
  }
}
