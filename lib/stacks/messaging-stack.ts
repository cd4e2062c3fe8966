import * as events from "aws-cdk-lib/aws-events";
import * as targets from "aws-cdk-lib/aws-events-targets";
import type * as kms from "aws-cdk-lib/aws-kms";
import type * as sns from "aws-cdk-lib/aws-sns";
import type * as sqs from "aws-cdk-lib/aws-sqs";
import { Duration, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { consumers } from "../../functions/index.ts";
import {
  busForwards,
  kinesisForwards,
  queryChanges,
  queueForwards,
  queues,
  teamForwards,
  webhooks,
} from "../contract/queues.ts";
import type { QueueResource } from "../contract/resource-kinds.ts";
import { eventFamilies } from "../events/families.ts";
import { type ForwardRule, forwardRules, patternOf } from "../events/forwarding.ts";
import { type DeploymentConfig, hasQueue } from "./config.ts";
import type { NamedQueue } from "./dashboard-stack.ts";
import { DeadLetterQueue, ServiceQueue } from "./service-queue.ts";

/** EventBridge tries a target for this long and this often; written out so that no default can shorten it. */
export const DELIVERY = { maxEventAge: Duration.hours(24), retryAttempts: 185 };

const impacts: Readonly<Record<string, string>> = {
  ingestion: "Accepted batches are not stored.",
  historyPulls: "Histories of new connections are not pulled; the sweeper tries again.",
  connectionPulls: "New data of connections is not pulled; the sweeper tries again.",
  bulkWork: "Imports and histories of many connections stand still; the sweeper tries again.",
  changedPulls: "Changes that providers told of are not pulled; they come with the next pull of the days they are in.",
  historyEnds: "Histories are stored and their teams are not told that they are there.",
  webhooks: "Events are not planned for the webhook endpoints of their teams.",
  webhookAttempts: "Webhook attempts fail before they are made; the sweeper retries them.",
  webhookTaskSteps: "Deliveries that a team wants to have sent again stay as they are from some point on.",
  exportRuns: "Exports of users fail; their teams have to ask again.",
  labWork: "Laboratories are not told of orders; the sweeper tries again.",
  queryChanges: "Results of continuous queries miss changes until the next one of the same days.",
  queryRuns: "Continuous queries are not computed; the sweeper tries again.",
  reportParses: "Lab reports are not parsed; the sweeper tries again.",
  matchTestRuns: "Trials of unmatched results stay queued, in a sandbox.",
  teamForwards: "Events do not reach the destination that a team has configured.",
  kinesisForwards: "Events do not reach a Kinesis stream that they are forwarded to.",
  queueForwards: "Events do not reach a queue that they are forwarded to.",
  busForwards: "Events do not reach a bus that they are forwarded to.",
};

/** The most characters of an event pattern (EventBridge quotas). */
const MOST_PATTERN_LENGTH = 2048;

interface MessagingStackProps extends StackProps {
  readonly alarms: sns.ITopic;
  readonly config: DeploymentConfig;
  /** Encrypts the queues whose messages carry data of users. */
  readonly dataKey: kms.IKey;
}

/** Queues, the event bus, and the rules that route events by the prefix of their type. */
export class MessagingStack extends Stack {
  readonly bus: events.EventBus;
  readonly #alarms: sns.ITopic;
  readonly #queues = new Map<string, sqs.Queue>();

  constructor(scope: Construct, id: string, props: MessagingStackProps) {
    super(scope, id, props);
    this.#alarms = props.alarms;
    const used = queues.filter((resource) => hasQueue(props.config, resource));
    for (const resource of used) this.#queues.set(resource.name, this.#queue(resource, props.dataKey));
    this.bus = new events.EventBus(this, "Bus", { description: "Ids of all events of the service" });
    this.#routeToWebhooks();
    this.#routeToQueries();
    this.#forward(forwardRules(props.config.forward));
    this.#keepUnrouted();
  }

  queue(resource: QueueResource): sqs.Queue {
    const queue = this.#queues.get(resource.name);
    if (!queue) throw new Error(`no queue ${resource.name}`);
    return queue;
  }

  /** What the dashboard shows: every queue that is consumed, and what could not be. */
  get watched(): { queues: NamedQueue[]; deadLetters: NamedQueue[] } {
    const queues = [...this.#queues].map(([name, queue]) => ({ name, queue }));
    const deadLetters = queues.flatMap(({ name, queue: { deadLetterQueue } }) =>
      deadLetterQueue ? [{ name, queue: deadLetterQueue.queue }] : [],
    );
    return { queues, deadLetters };
  }

  #queue({ name, holdsData }: QueueResource, dataKey: kms.IKey): sqs.Queue {
    const consumer = consumers.find(({ trigger }) => trigger.kind === "queue" && trigger.queue.name === name);
    if (!consumer) throw new Error(`nothing consumes the queue ${name}`);
    const impact = impacts[name];
    if (!impact) throw new Error(`nothing says what dead letters of the queue ${name} mean`);
    const { timeoutS: consumerTimeoutS } = consumer;
    const key = holdsData ? dataKey : undefined;
    return new ServiceQueue(this, `Queue-${name}`, { consumerTimeoutS, impact, alarms: this.#alarms, key }).queue;
  }

  #deadLetters(id: string, impact: string): DeadLetterQueue {
    return new DeadLetterQueue(this, id, { impact, alarms: this.#alarms });
  }

  /** Every known family of events goes to the webhook queue, which knows the endpoints of the team. */
  #routeToWebhooks(): void {
    const undelivered = this.#deadLetters("UndeliveredEvents", "Events do not reach the webhook queue.");
    const target = new targets.SqsQueue(this.queue(webhooks), {
      deadLetterQueue: undelivered.queue,
      message: events.RuleTargetInput.fromEventPath("$.detail"),
      ...DELIVERY,
    });
    for (const { name, prefix } of eventFamilies) {
      new events.Rule(this, `Webhooks-${name}`, {
        description: `Routes ${prefix}* to webhooks`,
        eventBus: this.bus,
        eventPattern: { detailType: events.Match.prefix(prefix) },
        targets: [target],
      });
    }
  }

  /** Events of stored data go to the queue before continuous queries, too. */
  #routeToQueries(): void {
    const undelivered = this.#deadLetters("UndeliveredChanges", "Continuous queries do not hear of changed data.");
    new events.Rule(this, "Queries", {
      description: "Routes events of data to continuous queries",
      eventBus: this.bus,
      eventPattern: { detailType: ["daily.data.", "historical.data."].map((prefix) => ({ prefix })) as never },
      targets: [
        new targets.SqsQueue(this.queue(queryChanges), {
          deadLetterQueue: undelivered.queue,
          message: events.RuleTargetInput.fromEventPath("$.detail"),
          ...DELIVERY,
        }),
      ],
    });
  }

  /** What is forwarded goes to the queue of its target's kind, with the target that its rule chose. */
  #forward(rules: readonly ForwardRule[]): void {
    const undelivered = this.#deadLetters("UndeliveredForwards", "Events do not reach the queue of their forwarder.");
    for (const rule of rules) {
      const { name, to } = rule;
      const pattern = patternOf(rule);
      const tooLong = JSON.stringify(pattern).length > MOST_PATTERN_LENGTH;
      if (tooLong) throw new Error(`forward in cdk.json: ${name} has, or leaves out, too many prefixes for one rule`);
      new events.Rule(this, `Forward-${name}`, {
        description: `Forwards events to ${to.kind === "event_hub" ? "the destinations of teams" : to.arn}`,
        eventBus: this.bus,
        eventPattern: { detailType: pattern["detail-type"] as never, detail: pattern.detail as never },
        targets: [
          new targets.SqsQueue(this.queue(queueOf(to)), {
            deadLetterQueue: undelivered.queue,
            message: messageFor(to),
            ...DELIVERY,
          }),
        ],
      });
    }
  }

  /** An event of a family that no rule knows is kept where it is seen, not dropped. */
  #keepUnrouted(): void {
    const unrouted = this.#deadLetters("UnroutedEvents", "Events have a type that no rule routes.");
    new events.Rule(this, "Unrouted", {
      description: "Keeps events that no other rule matches",
      eventBus: this.bus,
      eventPattern: {
        detailType: [{ "anything-but": { prefix: eventFamilies.map(({ prefix }) => prefix) } }] as never,
      },
      targets: [new targets.SqsQueue(unrouted.queue, { deadLetterQueue: unrouted.queue, ...DELIVERY })],
    });
  }
}

const forwarders = { kinesis: kinesisForwards, sqs: queueForwards, bus: busForwards, event_hub: teamForwards };

/** The queue before the forwarder to a target. */
const queueOf = (to: ForwardRule["to"]): QueueResource => forwarders[to.kind];

/** What a forwarder is told: the event, and its target where that does not follow from the event's team. */
function messageFor(to: ForwardRule["to"]): events.RuleTargetInput {
  if (to.kind === "event_hub") return events.RuleTargetInput.fromEventPath("$.detail");
  return events.RuleTargetInput.fromObject({ to: to.arn, event: events.EventField.fromPath("$.detail") });
}
