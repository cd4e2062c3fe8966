import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import type * as lambda from "aws-cdk-lib/aws-lambda";
import { Duration } from "aws-cdk-lib/core";
import { FAILED_REQUESTS_METRIC } from "../../domain/operations/metrics.ts";
import { acknowledgeFindings } from "../acknowledge-findings.ts";
import type { ServiceFunction } from "../service-function.ts";

/** Share of a version's requests that may fail, and the fewest failures that count: one alone may be chance. */
const [MAX_FAILED_SHARE, MIN_FAILURES] = [0.01, 2];

/** CloudWatch evaluates the last five minutes each minute, so the few requests of a rare route add up. */
const PERIOD = Duration.minutes(5);

/** A version of a function that an alias invokes. */
interface ReleasedVersion {
  readonly fn: ServiceFunction;
  readonly version: lambda.IVersion;
  readonly aliasName: string;
  readonly operationId: string;
  /** Namespace of the metrics that functions count. */
  readonly namespace: string;
}

/**
 * The alarm that ends the release of one version. It counts responses with a server error, and invocations that end
 * without a response, of this version alone: failures of the version before do not stop the release that mends them.
 */
export function addFailingVersionAlarm(released: ReleasedVersion): cloudwatch.Alarm {
  const { fn, version, aliasName, operationId, namespace } = released;
  const sum = { statistic: "Sum", period: PERIOD };
  // Lambda counts the invocations of an alias by version under these dimensions.
  const { functionName } = fn.lambda;
  const dimensionsMap = {
    FunctionName: functionName,
    Resource: `${functionName}:${aliasName}`,
    ExecutedVersion: version.version,
  };
  const ofLambda = (metricName: string) =>
    new cloudwatch.Metric({ namespace: "AWS/Lambda", metricName, dimensionsMap, ...sum });
  const failed = new cloudwatch.Metric({
    ...{ namespace, metricName: FAILED_REQUESTS_METRIC, ...sum },
    dimensionsMap: { operation: operationId, version: version.version },
  });
  const alarm = new cloudwatch.Alarm(fn, "VersionFails", {
    alarmDescription: "Requests to a new version fail: CodeDeploy returns to the version before.",
    metric: new cloudwatch.MathExpression({
      // SUM omits a metric without a value, and a version without failures has no value of `failed`.
      expression: `IF(SUM([failed, crashed]) >= ${MIN_FAILURES}, SUM([failed, crashed]) / invoked, 0)`,
      usingMetrics: { failed, crashed: ofLambda("Errors"), invoked: ofLambda("Invocations") },
      period: PERIOD,
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
