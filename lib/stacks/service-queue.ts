import type * as kms from "aws-cdk-lib/aws-kms";
import type * as sns from "aws-cdk-lib/aws-sns";
import * as sqs from "aws-cdk-lib/aws-sqs";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { ServiceAlarm } from "./service-alarm.ts";

/** How often a message is tried before it goes to the dead-letter queue. */
export const MAX_RECEIVES = 5;

interface DeadLetterProps {
  /** One sentence on what is at stake when a message arrives. */
  readonly impact: string;
  readonly alarms: sns.ITopic;
  /** The deployment's own key, for messages that carry data of users. */
  readonly key?: kms.IKey | undefined;
}

/** A key of SQS's own costs nothing; for data SQS asks for a data key of ours once an hour and caller. */
function encryptedBy(key: kms.IKey | undefined): sqs.QueueProps {
  if (key === undefined) return { encryption: sqs.QueueEncryption.SQS_MANAGED };
  return { encryption: sqs.QueueEncryption.KMS, encryptionMasterKey: key, dataKeyReuse: Duration.hours(1) };
}

/** A dead-letter queue whose first message raises an alarm that says what is at stake. */
export class DeadLetterQueue extends Construct {
  readonly queue: sqs.Queue;

  constructor(scope: Construct, id: string, { impact, alarms, key }: DeadLetterProps) {
    super(scope, id);
    this.queue = new sqs.Queue(this, "Queue", {
      ...encryptedBy(key),
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    new ServiceAlarm(this, "Alarm", {
      metric: this.queue.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(1),
        statistic: "Maximum",
      }),
      impact,
      runbook: "dead-letters",
      topic: alarms,
    });
  }
}

interface ServiceQueueProps extends DeadLetterProps {
  /** Timeout of the function that consumes it; messages stay hidden six times as long. */
  readonly consumerTimeoutS: number;
}

/** A queue with a dead-letter queue of its own. */
export class ServiceQueue extends Construct {
  readonly queue: sqs.Queue;

  constructor(scope: Construct, id: string, props: ServiceQueueProps) {
    super(scope, id);
    const deadLetters = new DeadLetterQueue(this, "DeadLetters", props);
    this.queue = new sqs.Queue(this, "Queue", {
      ...encryptedBy(props.key),
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(props.consumerTimeoutS * 6),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: deadLetters.queue, maxReceiveCount: MAX_RECEIVES },
    });
  }
}
