import type * as kms from "aws-cdk-lib/aws-kms";
import type * as sns from "aws-cdk-lib/aws-sns";
import * as sqs from "aws-cdk-lib/aws-sqs";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { acknowledgeFindings } from "./acknowledge-findings.ts";
import { ServiceAlarm } from "./service-alarm.ts";

/** Maximum number of receives of a message before it moves to the dead-letter queue. */
export const MAX_RECEIVES = 5;

interface DeadLetterProps {
  /** One sentence that states the impact of a dead letter. */
  readonly impact: string;
  readonly alarms: sns.ITopic;
  /** The deployment's key, for messages with user data. */
  readonly key?: kms.IKey | undefined;
}

/** SQS-managed encryption is free. For user data SQS requests one data key of our KMS key per hour and caller. */
function queueEncryption(key: kms.IKey | undefined): sqs.QueueProps {
  if (key === undefined) return { encryption: sqs.QueueEncryption.SQS_MANAGED };
  return { encryption: sqs.QueueEncryption.KMS, encryptionMasterKey: key, dataKeyReuse: Duration.hours(1) };
}

/** A dead-letter queue with an alarm at its first message. */
export class DeadLetterQueue extends Construct {
  readonly queue: sqs.Queue;

  constructor(scope: Construct, id: string, { impact, alarms, key }: DeadLetterProps) {
    super(scope, id);
    this.queue = new sqs.Queue(this, "Queue", {
      ...queueEncryption(key),
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledgeFindings(
      this.queue,
      "This is a dead-letter queue; its first message raises an alarm, and it retains messages for 14 days.",
      "Serverless-SQSRedrivePolicy",
    );
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

/** The dead-letter queue of a rule target or a stream. cdk-nag recognises only those of queues and functions. */
export class DeliveryDeadLetterQueue extends DeadLetterQueue {
  constructor(scope: Construct, id: string, props: DeadLetterProps) {
    super(scope, id, props);
    acknowledgeFindings(
      this.queue,
      "This is the dead-letter queue of a rule target or a stream; its first message raises an alarm.",
      "AwsSolutions-SQS3",
    );
  }
}

interface ServiceQueueProps extends DeadLetterProps {
  /** Timeout of the consumer. The visibility timeout is six times as long. */
  readonly consumerTimeoutS: number;
}

/** A queue with its own dead-letter queue. */
export class ServiceQueue extends Construct {
  readonly queue: sqs.Queue;

  constructor(scope: Construct, id: string, props: ServiceQueueProps) {
    super(scope, id);
    const deadLetters = new DeadLetterQueue(this, "DeadLetters", props);
    this.queue = new sqs.Queue(this, "Queue", {
      ...queueEncryption(props.key),
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(props.consumerTimeoutS * 6),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: deadLetters.queue, maxReceiveCount: MAX_RECEIVES },
    });
  }
}
