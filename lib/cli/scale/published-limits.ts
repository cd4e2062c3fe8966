/**
 * Limits that AWS publishes. Quotas are the defaults of us-east-1; other regions have lower ones. Compared with the text
 * of AWS on 2026-11-26: a partition, the units of a table, and the targets of EventBridge. The others still have to be
 * compared with their pages.
 */

/** DynamoDB Developer Guide, "Best practices for designing and using partition keys effectively". */
export const PARTITION = { writeUnits: 1_000, readUnits: 3_000, bytes: 10 * 2 ** 30 } as const;

/** A default of AWS that is raised on request. */
export interface PublishedQuota {
  readonly name: string;
  readonly limit: number;
  /** Address of the page that states it. */
  readonly source: string;
}

const quota = (name: string, limit: number, source: string): PublishedQuota => ({ name, limit, source });

const DYNAMODB = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html";
const EVENTBRIDGE = "https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html";

export const quotas = {
  concurrency: quota(
    "Lambda, concurrent executions",
    1_000,
    "https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html",
  ),
  apiRequests: quota(
    "API Gateway, requests a second",
    10_000,
    "https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html",
  ),
  tableWrites: quota("DynamoDB, write units a second of a table", 40_000, DYNAMODB),
  tableReads: quota("DynamoDB, read units a second of a table", 40_000, DYNAMODB),
  busRequests: quota("EventBridge, PutEvents requests a second", 10_000, EVENTBRIDGE),
  busInvocations: quota("EventBridge, targets invoked a second", 18_750, EVENTBRIDGE),
  kmsRequests: quota(
    "KMS, requests with symmetric keys a second",
    100_000,
    "https://docs.aws.amazon.com/kms/latest/developerguide/requests-per-second.html",
  ),
  inFlight: quota(
    "SQS, messages in flight of a queue",
    120_000,
    "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html",
  ),
  executions: quota(
    "Step Functions, StartExecution a second",
    300,
    "https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html",
  ),
} as const;
