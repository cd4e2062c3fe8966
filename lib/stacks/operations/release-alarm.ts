import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import { Duration } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { acknowledgeFindings } from "../acknowledge-findings.ts";

/** Share of failed requests that ends a gradual release, and the fewest requests of a minute that count. */
const [MAX_FAILED_SHARE, MIN_REQUESTS] = [0.01, 20];

/** What an alarm on failed requests watches. */
interface WatchedRequests {
  readonly id: string;
  /** Default: a name of CloudFormation. */
  readonly name?: string;
  readonly description: string;
  /** The share of requests that failed, from 0 to 1: an expression of metric math over `metrics`. */
  readonly failedShare: string;
  readonly metrics: Record<string, cloudwatch.IMetric>;
  readonly period: Duration;
}

/** Adds an alarm that ends gradual releases as soon as more than a hundredth of the requests fail. */
export function addFailureAlarm(scope: Construct, watched: WatchedRequests): cloudwatch.Alarm {
  const { id, name, description, failedShare, metrics, period } = watched;
  const alarm = new cloudwatch.Alarm(scope, id, {
    ...(name === undefined ? {} : { alarmName: name }),
    alarmDescription: description,
    metric: new cloudwatch.MathExpression({ expression: failedShare, usingMetrics: metrics, period }),
    threshold: MAX_FAILED_SHARE,
    evaluationPeriods: 1,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
  });
  acknowledgeFindings(
    alarm,
    "CodeDeploy reads this alarm during releases; the alarms of service levels notify operators.",
    "HIPAA.Security-CloudWatchAlarmAction",
  );
  return alarm;
}

/**
 * Name of the alarm on an API that ends gradual releases. Stacks of routes use this name and import nothing, so that one
 * deployment can turn gradual releases off.
 */
export const releaseAlarmName = (deployment: string, apiName: string): string => `${deployment}-release-${apiName}`;

/** Adds the alarm on failed requests of an API that ends gradual releases of its functions. */
export function addReleaseAlarm(scope: Construct, apiId: string, name: string): void {
  const period = Duration.minutes(1);
  const ofApi = (metricName: string) =>
    new cloudwatch.Metric({
      ...{ namespace: "AWS/ApiGateway", metricName, dimensionsMap: { ApiId: apiId } },
      ...{ statistic: "Sum", period },
    });
  addFailureAlarm(scope, {
    id: "ReleaseFails",
    name,
    description: "Requests fail: CodeDeploy ends the gradual releases that run and returns to the version before.",
    failedShare: `IF(total >= ${MIN_REQUESTS}, FILL(bad, 0) / total, 0)`,
    metrics: { bad: ofApi("5xx"), total: ofApi("Count") },
    period,
  });
}
