import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type * as sns from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";

interface ServiceAlarmProps {
  readonly metric: cloudwatch.IMetric;
  /** One sentence that states the impact on users. */
  readonly impact: string;
  /** Section of docs/runbook.md with the instructions. */
  readonly runbook: string;
  readonly topic: sns.ITopic;
  /** Default: one. */
  readonly threshold?: number;
}

/** An alarm that notifies the topic when the metric reaches its threshold. */
export class ServiceAlarm extends cloudwatch.Alarm {
  constructor(scope: Construct, id: string, { metric, impact, runbook, topic, threshold = 1 }: ServiceAlarmProps) {
    super(scope, id, {
      alarmDescription: `${impact} Runbook: docs/runbook.md#${runbook}`,
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    this.addAlarmAction(new SnsAction(topic));
  }
}
