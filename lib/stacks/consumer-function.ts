import * as events from "aws-cdk-lib/aws-events";
import * as targets from "aws-cdk-lib/aws-events-targets";
import * as iam from "aws-cdk-lib/aws-iam";
import * as lambda from "aws-cdk-lib/aws-lambda";
import type * as sqs from "aws-cdk-lib/aws-sqs";
import { Duration } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { type ConsumerContract, deadLetterVariable, type Trigger } from "../contract/consumer.ts";
import { acknowledgeFindings, acknowledgeWildcard } from "./acknowledge-findings.ts";
import type { DeploymentResources } from "./deployment-resources.ts";
import { DELIVERY_RETRY_POLICY } from "./messaging-stack.ts";
import { alarmOnWatch, WATCH_MINUTES } from "./operations/watch-alarm.ts";
import {
  forwardingPermissions,
  QUEUE_READ_ACTIONS,
  STREAM_READ_ACTIONS,
  tableDecryptionCondition,
} from "./policy-statements.ts";
import { ServiceFunction } from "./service-function.ts";
import { DeadLetterQueue, DeliveryDeadLetterQueue, MAX_RECEIVES } from "./service-queue.ts";

/** The function of a consumer, with its event source mapping or schedule rule. */
export class ConsumerFunction extends ServiceFunction {
  constructor(scope: Construct, contract: ConsumerContract, world: DeploymentResources) {
    super(scope, contract, world);
    const { trigger } = contract;
    if (trigger.kind === "queue") this.#consumeQueue(trigger, contract, world);
    if (trigger.kind === "stream") this.#consumeStream(trigger, contract, world);
    if (trigger.kind === "schedule") this.#runOnSchedule(trigger, contract, world);
    if (trigger.kind === "setting" && trigger.setting === "watch") this.#watch(contract, world);
    if (contract.usesTextDetection && world.config.reportReader === "textract") this.#detectText();
  }

  /** A separate policy keeps `*` out of the function's policy: Textract does not support resources for this action. */
  #detectText(): void {
    this.lambda.addEnvironment("REPORT_READER", "textract");
    const statement = new iam.PolicyStatement({ actions: ["textract:DetectDocumentText"], resources: ["*"] });
    const policy = new iam.ManagedPolicy(this, "DetectingText", { statements: [statement] });
    this.role.addManagedPolicy(policy);
    acknowledgeWildcard(
      policy,
      "The Textract action does not support resources; its policy belongs to one function and allows nothing else.",
      "*",
    );
  }

  #consumeQueue(
    trigger: Extract<Trigger, { kind: "queue" }>,
    contract: ConsumerContract,
    world: DeploymentResources,
  ): void {
    const { queueArn, deadLetterQueue } = world.queue(trigger.queue);
    if (!deadLetterQueue) throw new Error(`the queue ${trigger.queue.name} has no dead-letter queue`);
    this.allow(QUEUE_READ_ACTIONS, queueArn);
    this.#allowDeadLetters(deadLetterQueue.queue, contract);
    this.#reachTargets(trigger, world);
    const mapping = new lambda.CfnEventSourceMapping(this, "Mapping", {
      functionName: this.lambda.functionArn,
      eventSourceArn: queueArn,
      batchSize: trigger.batchSize,
      ...(trigger.batchWindowS === undefined ? {} : { maximumBatchingWindowInSeconds: trigger.batchWindowS }),
      functionResponseTypes: ["ReportBatchItemFailures"],
      scalingConfig: {
        maximumConcurrency: world.config.maxConcurrency[contract.operationId] ?? trigger.maxConcurrency,
      },
    });
    acknowledgeFindings(
      mapping,
      "Lambda has no failure destination for SQS sources; the queue's redrive policy keeps failed messages.",
      "Serverless-LambdaEventSourceMappingDestination",
    );
  }

  /** Grants a forwarder access to the deployment's targets of its kind. */
  #reachTargets({ queue }: Extract<Trigger, { kind: "queue" }>, { config }: DeploymentResources): void {
    for (const { to } of config.forward) {
      if (to.kind === "event_hub" || to.kind !== queue.forwardsTo) continue;
      for (const { actions, on, conditions } of forwardingPermissions(to)) this.allow(actions, on, conditions);
    }
  }

  #consumeStream(
    trigger: Extract<Trigger, { kind: "stream" }>,
    contract: ConsumerContract,
    world: DeploymentResources,
  ): void {
    const table = world.table(trigger.table);
    this.allow(STREAM_READ_ACTIONS, table.tableStreamArn ?? "");
    this.allow(["kms:Decrypt"], world.dataKey.keyArn, tableDecryptionCondition(table.tableName));
    const missed = new DeliveryDeadLetterQueue(this, "Missed", { impact: trigger.impact, alarms: world.alarms });
    this.#allowDeadLetters(missed.queue, contract);
    new lambda.CfnEventSourceMapping(this, "Mapping", {
      functionName: this.lambda.functionArn,
      eventSourceArn: table.tableStreamArn ?? "",
      startingPosition: "TRIM_HORIZON",
      batchSize: trigger.batchSize,
      bisectBatchOnFunctionError: true,
      maximumRetryAttempts: MAX_RECEIVES,
      maximumRecordAgeInSeconds: 3600,
      parallelizationFactor: 4,
      functionResponseTypes: ["ReportBatchItemFailures"],
      destinationConfig: { onFailure: { destination: missed.queue.queueArn } },
      filterCriteria: { filters: [{ pattern: newItemsPattern(trigger) }] },
    });
  }

  /** Lets the function send messages that can never succeed to the dead-letter queue. */
  #allowDeadLetters(deadLetters: sqs.IQueue, contract: ConsumerContract): void {
    this.allow(["sqs:SendMessage"], deadLetters.queueArn);
    this.lambda.addEnvironment(deadLetterVariable(contract), deadLetters.queueUrl);
  }

  #runOnSchedule(
    trigger: Extract<Trigger, { kind: "schedule" }>,
    contract: ConsumerContract,
    world: DeploymentResources,
  ): void {
    const missed = new DeadLetterQueue(this, "Missed", {
      impact: `A scheduled run did not happen: ${contract.summary.toLowerCase()}.`,
      alarms: world.alarms,
    });
    this.#keepFailedRuns(missed.queue);
    new events.Rule(this, "Schedule", {
      description: contract.summary,
      schedule: events.Schedule.rate(Duration.minutes(trigger.rate.minutes)),
      targets: [new targets.LambdaFunction(this.lambda, { deadLetterQueue: missed.queue, ...DELIVERY_RETRY_POLICY })],
    });
  }

  /** Plays a caller every five minutes. A failed play counts in a metric, so no run is repeated. */
  #watch(contract: ConsumerContract, world: DeploymentResources): void {
    const { keySecretArn = "" } = world.config.watch ?? {};
    this.allow(["secretsmanager:GetSecretValue"], keySecretArn);
    this.lambda.addEnvironment("WATCH_KEY_SECRET", keySecretArn);
    this.#runOnSchedule({ kind: "schedule", rate: { minutes: WATCH_MINUTES } }, contract, world);
    this.#invokeOnce();
    alarmOnWatch(this, world);
  }

  /** Lambda would repeat a run that it ended, and each run creates a user. */
  #invokeOnce(): void {
    const once = new lambda.CfnEventInvokeConfig(this, "InvokeOnce", {
      functionName: this.lambda.functionName,
      qualifier: "$LATEST",
      maximumRetryAttempts: 0,
    });
    acknowledgeFindings(
      once,
      "The function has a dead-letter queue, which keeps the runs that Lambda ended.",
      "Serverless-LambdaAsyncFailureDestination",
    );
  }

  /** A rule invokes its function asynchronously. Without this queue a run is lost after Lambda's two retries. */
  #keepFailedRuns(deadLetters: sqs.IQueue): void {
    this.allow(["sqs:SendMessage"], deadLetters.queueArn);
    const fn = this.lambda.node.defaultChild as lambda.CfnFunction;
    fn.deadLetterConfig = { targetArn: deadLetters.queueArn };
  }
}

/** Event pattern of stream records of new items with the key prefixes and the attribute. */
const newItemsPattern = ({ keyPrefix, sortKeyPrefix, attribute }: Extract<Trigger, { kind: "stream" }>) =>
  JSON.stringify({
    eventName: ["INSERT"],
    dynamodb: {
      Keys: { pk: { S: [{ prefix: keyPrefix }] }, sk: { S: [{ prefix: sortKeyPrefix }] } },
      NewImage: { [attribute]: { S: [{ exists: true }] } },
    },
  });
