import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import { Duration } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { acknowledgeFindings } from "../acknowledge-findings.ts";

/** Share of failed requests of a minute that ends a gradual release, and the fewest requests that count. */
const [MAX_FAILED_SHARE, MIN_REQUESTS] = [0.01, 20];

/** The alarm on failed requests of an API that ends gradual releases of its functions. */
export function addReleaseAlarm(scope: Construct, apiId: string): cloudwatch.Alarm {
  const period = Duration.minutes(1);
  const ofApi = (metricName: string) =>
    new cloudwatch.Metric({
      ...{ namespace: "AWS/ApiGateway", metricName, dimensionsMap: { ApiId: apiId } },
      ...{ statistic: "Sum", period },
    });
  const alarm = new cloudwatch.Alarm(scope, "ReleaseFails", {
    alarmDescription: "Requests fail: CodeDeploy ends the gradual releases that run and returns to the version before.",
    metric: new cloudwatch.MathExpression({
      expression: `IF(total >= ${MIN_REQUESTS}, FILL(bad, 0) / total, 0)`,
      usingMetrics: { bad: ofApi("5xx"), total: ofApi("Count") },
      period,
    }),
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
