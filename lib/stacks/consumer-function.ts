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

/** The function of a consumer with the mapping or rule that feeds it. */
export class ConsumerFunction extends ServiceFunction {
  constructor(scope: Construct, contract: ConsumerContract, world: World) {
    super(scope, contract, world);
    const { trigger } = contract;
    if (trigger.kind === "queue") this.#consumeQueue(trigger, contract, world);
    if (trigger.kind === "stream") this.#consumeStream(trigger, contract, world);
    if (trigger.kind === "schedule") this.#runOnSchedule(trigger, contract, world);
    if (contract.detectsText && world.config.reportReader === "textract") this.#detectText();
  }

  /** In a policy of its own, so that the function's own has no `*`: Textract knows no resources for this action. */
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

  /** A forwarder may reach the targets of its kind that the deployment names, and nothing else outside. */
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
      impact: "New events wait for the sweeper instead of going out at once.",
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

  /** Lets the function put messages that can never succeed where the platform puts those that failed too often. */
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

  /** A rule calls its function asynchronously: a run that fails twice more after that would be dropped without this. */
  #keepFailedRuns(deadLetters: sqs.IQueue): void {
    this.allow(["sqs:SendMessage"], deadLetters.queueArn);
    const fn = this.lambda.node.defaultChild as lambda.CfnFunction;
    fn.deadLetterConfig = { targetArn: deadLetters.queueArn };
  }
}

/** Stream records of new items whose keys begin with the prefixes. */
const newItems = ({ keyPrefix, sortKeyPrefix }: Extract<Trigger, { kind: "stream" }>) =>
  JSON.stringify({
    eventName: ["INSERT"],
    dynamodb: { Keys: { pk: { S: [{ prefix: keyPrefix }] }, sk: { S: [{ prefix: sortKeyPrefix }] } } },
  });
