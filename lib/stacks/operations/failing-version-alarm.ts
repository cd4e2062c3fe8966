import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import type * as lambda from "aws-cdk-lib/aws-lambda";
import { Duration } from "aws-cdk-lib/core";
import { FAILED_REQUESTS_METRIC } from "../../domain/operations/metrics.ts";
import type { ServiceFunction } from "../service-function.ts";
import { addFailureAlarm } from "./release-alarm.ts";

/** The fewest failed requests that count: one alone may be chance. */
const MIN_FAILURES = 2;

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
  return addFailureAlarm(fn, {
    id: "VersionFails",
    description: "Requests to a new version fail: CodeDeploy returns to the version before.",
    // SUM omits a metric without a value, and a version without failures has no value of `failed`.
    failedShare: `IF(SUM([failed, crashed]) >= ${MIN_FAILURES}, SUM([failed, crashed]) / invoked, 0)`,
    metrics: { failed, crashed: ofLambda("Errors"), invoked: ofLambda("Invocations") },
    period: PERIOD,
  });
}
