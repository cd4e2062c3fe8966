import * as events from "aws-cdk-lib/aws-events";
import * as targets from "aws-cdk-lib/aws-events-targets";
import * as iam from "aws-cdk-lib/aws-iam";
import * as lambda from "aws-cdk-lib/aws-lambda";
import type * as sqs from "aws-cdk-lib/aws-sqs";
import { Duration } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { type ConsumerContract, deadLettersName, type Trigger } from "../contract/consumer.ts";
import { DELIVERY } from "./messaging-stack.ts";
import { decryptingTable, forwardingTo, queueReading, streamReading } from "./policy-statements.ts";
import { ServiceFunction } from "./service-function.ts";
import { DeadLetterQueue, MAX_RECEIVES } from "./service-queue.ts";
import type { World } from "./world.ts";

/** The function of a consumer, with its event source mapping or schedule rule. */
export class ConsumerFunction extends ServiceFunction {
  constructor(scope: Construct, contract: ConsumerContract, world: World) {
    super(scope, contract, world);
    const { trigger } = contract;
    if (trigger.kind === "queue") this.#consumeQueue(trigger, contract, world);
    if (trigger.kind === "stream") this.#consumeStream(trigger, contract, world);
    if (trigger.kind === "schedule") this.#runOnSchedule(trigger, contract, world);
    if (contract.detectsText && world.config.reportReader === "textract") this.#detectText();
  }

  /** A separate policy keeps `*` out of the function's policy: Textract does not support resources for this action. */
  #detectText(): void {
    this.lambda.addEnvironment("REPORT_READER", "textract");
    const statement = new iam.PolicyStatement({ actions: ["textract:DetectDocumentText"], resources: ["*"] });
    const policy = new iam.ManagedPolicy(this, "DetectingText", { statements: [statement] });
    this.role.addManagedPolicy(policy);
  }

  #consumeQueue(trigger: Extract<Trigger, { kind: "queue" }>, contract: ConsumerContract, world: World): void {
    const { queueArn, deadLetterQueue } = world.queue(trigger.queue);
    if (!deadLetterQueue) throw new Error(`the queue ${trigger.queue.name} has no dead-letter queue`);
    this.allow(queueReading, queueArn);
    this.#buryIn(deadLetterQueue.queue, contract);
    this.#reachTargets(trigger, world);
    new lambda.CfnEventSourceMapping(this, "Mapping", {
      functionName: this.lambda.functionArn,
      eventSourceArn: queueArn,
      batchSize: trigger.batchSize,
      functionResponseTypes: ["ReportBatchItemFailures"],
      scalingConfig: { maximumConcurrency: trigger.maxConcurrency },
    });
  }

  /** Grants a forwarder access to the deployment's targets of its kind. */
  #reachTargets({ queue }: Extract<Trigger, { kind: "queue" }>, { config }: World): void {
    for (const { to } of config.forward) {
      if (to.kind === "event_hub" || to.kind !== queue.forwardsTo) continue;
      for (const { actions, on, conditions } of forwardingTo(to)) this.allow(actions, on, conditions);
    }
  }

  #consumeStream(trigger: Extract<Trigger, { kind: "stream" }>, contract: ConsumerContract, world: World): void {
    const table = world.table(trigger.table);
    this.allow(streamReading, table.tableStreamArn ?? "");
    this.allow(["kms:Decrypt"], world.dataKey.keyArn, decryptingTable(table.tableName));
    const missed = new DeadLetterQueue(this, "Missed", {
      impact: "New events wait for the sweeper instead of being published at once.",
      alarms: world.alarms,
    });
    this.#buryIn(missed.queue, contract);
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
      filterCriteria: { filters: [{ pattern: newItems(trigger) }] },
    });
  }

  /** Lets the function send messages that can never succeed to the dead-letter queue. */
  #buryIn(deadLetters: sqs.IQueue, contract: ConsumerContract): void {
    this.allow(["sqs:SendMessage"], deadLetters.queueArn);
    this.lambda.addEnvironment(deadLettersName(contract), deadLetters.queueUrl);
  }

  #runOnSchedule(trigger: Extract<Trigger, { kind: "schedule" }>, contract: ConsumerContract, world: World): void {
    const missed = new DeadLetterQueue(this, "Missed", {
      impact: `A scheduled run did not happen: ${contract.summary.toLowerCase()}.`,
      alarms: world.alarms,
    });
    this.#keepFailedRuns(missed.queue);
    new events.Rule(this, "Schedule", {
      description: contract.summary,
      schedule: events.Schedule.rate(Duration.minutes(trigger.rate.minutes)),
      targets: [new targets.LambdaFunction(this.lambda, { deadLetterQueue: missed.queue, ...DELIVERY })],
    });
  }

  /** A rule invokes its function asynchronously. Without this queue a run is lost after Lambda's two retries. */
  #keepFailedRuns(deadLetters: sqs.IQueue): void {
    this.allow(["sqs:SendMessage"], deadLetters.queueArn);
    const fn = this.lambda.node.defaultChild as lambda.CfnFunction;
    fn.deadLetterConfig = { targetArn: deadLetters.queueArn };
  }
}

/** Event pattern of stream records of new items with the key prefixes. */
const newItems = ({ keyPrefix, sortKeyPrefix }: Extract<Trigger, { kind: "stream" }>) =>
  JSON.stringify({
    eventName: ["INSERT"],
    dynamodb: { Keys: { pk: { S: [{ prefix: keyPrefix }] }, sk: { S: [{ prefix: sortKeyPrefix }] } } },
  });
