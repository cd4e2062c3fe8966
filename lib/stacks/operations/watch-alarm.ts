import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import { Duration } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { DeploymentResources } from "../deployment-resources.ts";
import { ServiceAlarm } from "../service-alarm.ts";

/** Minutes between two plays of a caller. */
export const WATCH_MINUTES = 5;

/** Alarms when two of three plays fail. lib/services/operations/watch-service.ts counts the metric. */
export function alarmOnWatch(scope: Construct, { config, alarms }: DeploymentResources): void {
  new ServiceAlarm(scope, "Failing", {
    metric: new cloudwatch.Metric({
      namespace: config.name.toLowerCase(),
      metricName: "watch.failed",
      dimensionsMap: { service: "watch" },
      statistic: "Sum",
      period: Duration.minutes(3 * WATCH_MINUTES),
    }),
    threshold: 2,
    impact: "A caller cannot create a user, send a sample, read it or delete the user.",
    runbook: "the-watch-fails",
    topic: alarms,
  });
}
