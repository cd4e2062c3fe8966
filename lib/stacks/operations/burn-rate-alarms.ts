import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type * as sns from "aws-cdk-lib/aws-sns";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { acknowledgeFindings } from "../acknowledge-findings.ts";

interface ServiceLevel {
  /** Share of good events, such as 0.999. */
  readonly objective: number;
  /** Counts of bad events, and of all events. */
  readonly bad: cloudwatch.Metric;
  readonly total: cloudwatch.Metric;
  /** One sentence that states the impact on users. */
  readonly impact: string;
  readonly topic: sns.ITopic;
}

/**
 * Windows and burn rates of 2 % and 5 % of a month's budget of bad events (Google, The Site Reliability Workbook,
 * chapter 5, "Multiwindow, Multi-Burn-Rate Alerts").
 */
const pairs = [
  { id: "Fast", long: Duration.hours(1), short: Duration.minutes(5), burnRate: 14.4 },
  { id: "Slow", long: Duration.hours(6), short: Duration.minutes(30), burnRate: 6 },
] as const;

/**
 * Alarms when the budget of bad events burns too fast over a long and a short window together. The short one ends the
 * alarm soon after the cause.
 */
export function addBurnRateAlarms(scope: Construct, id: string, level: ServiceLevel): void {
  const holder = new Construct(scope, id);
  for (const { id: pair, long, short, burnRate } of pairs) {
    const windows = [
      ["Long", long],
      ["Short", short],
    ] as const;
    const parts = windows.map(([name, period]) => addWindowAlarm(holder, `${pair}${name}`, level, period, burnRate));
    const both = new cloudwatch.CompositeAlarm(holder, pair, {
      alarmDescription: `${level.impact} Runbook: docs/runbook.md#a-service-level-burns`,
      alarmRule: cloudwatch.AlarmRule.allOf(
        ...parts.map((part) => cloudwatch.AlarmRule.fromAlarm(part, cloudwatch.AlarmState.ALARM)),
      ),
    });
    both.addAlarmAction(new SnsAction(level.topic));
  }
}

function addWindowAlarm(
  scope: Construct,
  id: string,
  { objective, bad, total }: ServiceLevel,
  period: Duration,
  burnRate: number,
): cloudwatch.Alarm {
  const sum = (metric: cloudwatch.Metric) => metric.with({ statistic: "Sum", period });
  const alarm = new cloudwatch.Alarm(scope, id, {
    metric: new cloudwatch.MathExpression({
      expression: "IF(total > 0, FILL(bad, 0) / total, 0)",
      usingMetrics: { bad: sum(bad), total: sum(total) },
      period,
    }),
    threshold: Number((burnRate * (1 - objective)).toPrecision(4)),
    evaluationPeriods: 1,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
  });
  acknowledgeFindings(
    alarm,
    "One window alone notifies nobody; the alarm of both windows has the action.",
    "HIPAA.Security-CloudWatchAlarmAction",
  );
  return alarm;
}
