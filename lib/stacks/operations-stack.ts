import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import * as iam from "aws-cdk-lib/aws-iam";
import type * as kms from "aws-cdk-lib/aws-kms";
import * as sns from "aws-cdk-lib/aws-sns";
import { Aws, CfnOutput, Duration, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { acknowledgeFindings, acknowledgeWildcard } from "./acknowledge-findings.ts";
import type { DeploymentConfig } from "./config.ts";
import { ServiceAlarm } from "./service-alarm.ts";

/** Resources for operators: the topic of all alarms, and the permission to write traces. */
export class OperationsStack extends Stack {
  /** Receives all alarms. */
  readonly alarms: sns.Topic;
  /** The only policy of functions with `*` as resource, so that their own policies do not need it. */
  readonly tracing: iam.ManagedPolicy;

  constructor(scope: Construct, id: string, props: StackProps & { dataKey: kms.Key; config: DeploymentConfig }) {
    super(scope, id, props);
    this.alarms = new sns.Topic(this, "Alarms", { masterKey: props.dataKey, enforceSSL: true });
    this.alarms.addToResourcePolicy(allowPublishByAlarms(this.alarms));
    this.#alarmOnSchemaDrift(props.config);
    this.#alarmOnLostPushes(props.config);
    const { alarmEmail } = props.config;
    if (alarmEmail !== undefined) {
      const email = new sns.CfnSubscription(this, "AlarmEmail", {
        topicArn: this.alarms.topicArn,
        protocol: "email",
        endpoint: alarmEmail,
      });
      acknowledgeFindings(
        email,
        "CloudWatch shows the state of an alarm, whether its e-mail arrives or not.",
        "Serverless-SNSRedrivePolicy",
      );
    }
    this.tracing = new iam.ManagedPolicy(this, "Tracing", {
      description: "Writes traces",
      // X-Ray does not support resources for these actions (Service Authorization Reference, "AWS X-Ray").
      statements: [
        new iam.PolicyStatement({ actions: ["xray:PutTelemetryRecords", "xray:PutTraceSegments"], resources: ["*"] }),
      ],
    });
    acknowledgeWildcard(
      this.tracing,
      "The two X-Ray actions do not support resources; their policy allows nothing else.",
      "*",
    );
    new CfnOutput(this, "AlarmTopic", { value: this.alarms.topicArn });
  }

  /** lib/services/connections/health/mark-stale.ts counts the metric. A single lost push is no fault of the service. */
  #alarmOnLostPushes({ name }: DeploymentConfig): void {
    new ServiceAlarm(this, "LostPushes", {
      metric: new cloudwatch.Metric({
        namespace: name.toLowerCase(),
        metricName: "connection.stale",
        dimensionsMap: { service: "pushes" },
        statistic: "Sum",
        period: Duration.hours(1),
      }),
      threshold: 10,
      impact: "Data of many users arrives up to a day late, because pushes of providers are lost.",
      runbook: "lost-pushes",
      topic: this.alarms,
    });
  }

  /** lib/services/connections/pulls/schema-drift-reporter.ts counts the metric. */
  #alarmOnSchemaDrift({ name }: DeploymentConfig): void {
    new ServiceAlarm(this, "SchemaDrift", {
      metric: new cloudwatch.Metric({
        namespace: name.toLowerCase(),
        metricName: "provider.schema_drift",
        dimensionsMap: { service: "connectors" },
        statistic: "Sum",
        period: Duration.hours(1),
      }),
      impact: "Data of a provider's users may be incomplete, because its responses differ from its documents.",
      runbook: "schema-drift",
      topic: this.alarms,
    });
  }
}

/** A topic with a custom policy does not allow the account's alarms by default. */
function allowPublishByAlarms(topic: sns.Topic): iam.PolicyStatement {
  return new iam.PolicyStatement({
    principals: [new iam.ServicePrincipal("cloudwatch.amazonaws.com")],
    actions: ["sns:Publish"],
    resources: [topic.topicArn],
    conditions: { StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID } },
  });
}
