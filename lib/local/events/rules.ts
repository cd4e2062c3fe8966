import type { TargetInput } from "./input-transformer.ts";

/** A target of a rule. */
export interface RuleTarget extends TargetInput {
  id: string;
  arn: string;
  /** ARN of the queue for undeliverable events. */
  deadLetterArn?: string;
  retry?: RetryPolicy;
  /** Message group, for queue targets: a constant, or a JSON path of the event. */
  sqs?: { messageGroupId: string };
  /** The error attributes of EventBridge, set only on dead letters. */
  messageAttributes?: Record<string, string>;
}

/** Limits of the retries. EventBridge's defaults are 185 attempts and 24 hours. */
interface RetryPolicy {
  maximumRetryAttempts?: number;
  maximumEventAgeS?: number;
}

/** A rule of a bus. Matches events by a pattern, or runs on a schedule. */
export interface Rule {
  name: string;
  arn: string;
  /** Name or ARN of its bus. */
  busName: string;
  /** Event pattern as parsed JSON. */
  pattern?: unknown;
  /** `rate(...)` or `cron(...)`. */
  schedule?: string;
  enabled: boolean;
  targets: RuleTarget[];
}

/**
 * Delivers a payload to a target. Resolves with the target's response once the target has durably accepted the payload.
 * Rejects otherwise (see {@link DeliveryError}).
 */
export type Deliver = (targetArn: string, payload: string, target: RuleTarget) => Promise<unknown>;
