import type { TargetInput } from "./input-transformer.ts";

/** Where a rule sends its events, and how. */
export interface RuleTarget extends TargetInput {
  id: string;
  arn: string;
  /** Queue that gets what could not be delivered. */
  deadLetterArn?: string;
  retry?: RetryPolicy;
  /** For queue targets: the message group. */
  sqs?: { messageGroupId: string };
  /** Set on dead letters only: what EventBridge says about the failure. */
  messageAttributes?: Record<string, string>;
}

/** How long to go on after a failed delivery; EventBridge's defaults are 185 attempts and 24 hours. */
export interface RetryPolicy {
  maximumRetryAttempts?: number;
  maximumEventAgeS?: number;
}

/** A rule of a bus: matches events by a pattern, or runs by itself on a schedule. */
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
 * Hands a payload to a target: resolves, with what the target answered if anything, once the target durably took it;
 * rejects otherwise (see DeliveryError).
 */
export type Deliver = (targetArn: string, payload: string, target: RuleTarget) => Promise<unknown>;
