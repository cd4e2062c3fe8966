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
  lakeAppends,
  queryChanges,
  queueForwards,
  queues,
  teamForwards,
  webhooks,
} from "../contract/queues.ts";
import type { QueueResource } from "../contract/resource-kinds.ts";
import { eventFamilies } from "../events/catalogue/event-families.ts";
import { type ForwardRule, forwardRules, toEventPattern } from "../events/forwarding/forward-rules.ts";
import { type DeploymentConfig, hasQueue } from "./config.ts";
import type { DashboardProps } from "./dashboard-stack.ts";
import { DeliveryDeadLetterQueue, ServiceQueue } from "./service-queue.ts";

/** Retry policy of EventBridge targets. Explicit, so that no default can shorten it. */
export const DELIVERY_RETRY_POLICY = { maxEventAge: Duration.hours(24), retryAttempts: 185 };

/** Maximum length of an event pattern (EventBridge quotas). */
const MAX_PATTERN_LENGTH = 2048;

interface MessagingStackProps extends StackProps {
  readonly alarms: sns.ITopic;
  readonly config: DeploymentConfig;
  /** Encrypts the queues whose messages contain user data. */
  readonly dataKey: kms.IKey;
}

/** Queues, the event bus, and the rules that route events by the prefix of their type. */
export class MessagingStack extends Stack {
  readonly bus: events.EventBus;
  readonly #alarms: sns.ITopic;
  readonly #queues = new Map<QueueResource, sqs.Queue>();

  constructor(scope: Construct, id: string, props: MessagingStackProps) {
    super(scope, id, props);
    this.#alarms = props.alarms;
    const used = queues.filter((resource) => hasQueue(props.config, resource));
    for (const resource of used) this.#queues.set(resource, this.#queue(resource, props.dataKey));
    this.bus = new events.EventBus(this, "Bus", { description: "Ids of all events of the service" });
    this.#routeToWebhooks();
    this.#routeToQueries();
    if (hasQueue(props.config, lakeAppends)) this.#routeToLakes();
    this.#forward(forwardRules(props.config.forward));
    this.#keepUnrouted();
  }

  queue(resource: QueueResource): sqs.Queue {
    const queue = this.#queues.get(resource);
    if (!queue) throw new Error(`no queue ${resource.name}`);
    return queue;
  }

  /** Queues for the dashboard: every consumed queue and its dead-letter queue. */
  get dashboardQueues(): Pick<DashboardProps, "queues" | "deadLetters"> {
    const consumed = [...this.#queues].map(([{ name, delaysWebhooks }, queue]) => ({ name, queue, delaysWebhooks }));
    const deadLetters = consumed.flatMap(({ name, queue: { deadLetterQueue } }) =>
      deadLetterQueue ? [{ name, queue: deadLetterQueue.queue }] : [],
    );
    return { queues: consumed, deadLetters };
  }

  #queue({ name, impact, carriesUserData }: QueueResource, dataKey: kms.IKey): sqs.Queue {
    const consumer = consumers.find(({ trigger }) => trigger.kind === "queue" && trigger.queue.name === name);
    if (!consumer) throw new Error(`the queue ${name} has no consumer`);
    const { timeoutS: consumerTimeoutS } = consumer;
    const key = carriesUserData ? dataKey : undefined;
    return new ServiceQueue(this, `Queue-${name}`, { consumerTimeoutS, impact, alarms: this.#alarms, key }).queue;
  }

  #deadLetters(id: string, impact: string): DeliveryDeadLetterQueue {
    return new DeliveryDeadLetterQueue(this, id, { impact, alarms: this.#alarms });
  }

  /**
   * Routes every event family to the webhook queue. The consumer of that queue makes attempts, so the queue serves the
   * teams in turn: a team is a message group.
   */
  #routeToWebhooks(): void {
    const undelivered = this.#deadLetters("UndeliveredEvents", "Events do not reach the webhook queue.");
    const target = new targets.SqsQueue(this.queue(webhooks), {
      deadLetterQueue: undelivered.queue,
      message: events.RuleTargetInput.fromEventPath("$.detail"),
      messageGroupId: "$.detail.team_id",
      ...DELIVERY_RETRY_POLICY,
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

  /** Routes data events also to the queue of continuous queries. */
  #routeToQueries(): void {
    const undelivered = this.#deadLetters("UndeliveredChanges", "Continuous queries miss changed data.");
    new events.Rule(this, "Queries", {
      description: "Routes events of data to continuous queries",
      eventBus: this.bus,
      eventPattern: { detailType: ["daily.data.", "historical.data."].map((prefix) => ({ prefix })) as never },
      targets: [
        new targets.SqsQueue(this.queue(queryChanges), {
          deadLetterQueue: undelivered.queue,
          message: events.RuleTargetInput.fromEventPath("$.detail"),
          ...DELIVERY_RETRY_POLICY,
        }),
      ],
    });
  }

  /** Routes events to the lakes of teams, except for those of data: the stored data itself goes there. */
  #routeToLakes(): void {
    const undelivered = this.#deadLetters("UndeliveredLakeEvents", "Events are missing in the lakes of teams.");
    const prefixes = eventFamilies.map(({ prefix }) => prefix).filter((prefix) => prefix !== "daily.data.");
    new events.Rule(this, "Lakes", {
      description: "Routes events to the lakes of teams",
      eventBus: this.bus,
      eventPattern: { detailType: prefixes.map((prefix) => ({ prefix })) as never },
      targets: [
        new targets.SqsQueue(this.queue(lakeAppends), {
          deadLetterQueue: undelivered.queue,
          message: events.RuleTargetInput.fromEventPath("$.detail"),
          ...DELIVERY_RETRY_POLICY,
        }),
      ],
    });
  }

  /** Routes forwarded events, with their target, to the queue of the target's kind. */
  #forward(rules: readonly ForwardRule[]): void {
    const undelivered = this.#deadLetters("UndeliveredForwards", "Events do not reach the queue of their forwarder.");
    for (const rule of rules) {
      const { name, to } = rule;
      const pattern = toEventPattern(rule);
      const tooLong = JSON.stringify(pattern).length > MAX_PATTERN_LENGTH;
      if (tooLong) throw new Error(`forward in cdk.json: the rule ${name} includes or excludes too many prefixes`);
      new events.Rule(this, `Forward-${name}`, {
        description: `Forwards events to ${to.kind === "event_hub" ? "the destinations of teams" : to.arn}`,
        eventBus: this.bus,
        eventPattern: { detailType: pattern["detail-type"] as never, detail: pattern.detail as never },
        targets: [
          new targets.SqsQueue(this.queue(findForwarderQueue(to)), {
            deadLetterQueue: undelivered.queue,
            message: createForwarderMessage(to),
            ...DELIVERY_RETRY_POLICY,
          }),
        ],
      });
    }
  }

  /** Keeps events of unknown families in a queue with an alarm instead of dropping them. */
  #keepUnrouted(): void {
    const unrouted = this.#deadLetters("UnroutedEvents", "Events have a type that no rule routes.");
    new events.Rule(this, "Unrouted", {
      description: "Keeps events that no other rule matches",
      eventBus: this.bus,
      eventPattern: {
        detailType: [{ "anything-but": { prefix: eventFamilies.map(({ prefix }) => prefix) } }] as never,
      },
      targets: [new targets.SqsQueue(unrouted.queue, { deadLetterQueue: unrouted.queue, ...DELIVERY_RETRY_POLICY })],
    });
  }
}

const forwarderQueues = { kinesis: kinesisForwards, sqs: queueForwards, bus: busForwards, event_hub: teamForwards };

/** The queue of the forwarder to a target. */
const findForwarderQueue = (to: ForwardRule["to"]): QueueResource => forwarderQueues[to.kind];

/** The forwarder's message: the event, and its target unless the event's team determines the target. */
function createForwarderMessage(to: ForwardRule["to"]): events.RuleTargetInput {
  if (to.kind === "event_hub") return events.RuleTargetInput.fromEventPath("$.detail");
  return events.RuleTargetInput.fromObject({ to: to.arn, event: events.EventField.fromPath("$.detail") });
}
