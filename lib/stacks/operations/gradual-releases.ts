import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import * as codedeploy from "aws-cdk-lib/aws-codedeploy";
import * as iam from "aws-cdk-lib/aws-iam";
import * as lambda from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { acknowledgeFindings } from "../acknowledge-findings.ts";
import type { DeploymentConfig } from "../config.ts";
import type { ServiceFunction } from "../service-function.ts";
import { addFailingVersionAlarm } from "./failing-version-alarm.ts";

/** A pace at which requests move to a new version. */
type ReleasePace = Exclude<DeploymentConfig["gradualReleases"], "off">;

const paces: { readonly [Pace in ReleasePace]: codedeploy.ILambdaDeploymentConfig } = {
  canary5: codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  canary15: codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
  linear10: codedeploy.LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
};

/** Name of the alias that callers invoke. */
const ALIAS = "live";

interface ReleaseSettings {
  readonly pace: ReleasePace;
  /** Names of the alarms that end every release of the group. */
  readonly alarmNames: readonly string[];
  /** Namespace of the metrics that functions count. */
  readonly namespace: string;
}

/**
 * Moves the requests of a group of functions to their new versions step by step. CodeDeploy moves them back as soon as
 * the alarm of the function or one of the group starts.
 */
export class GradualReleases extends Construct {
  readonly #application: codedeploy.LambdaApplication;
  readonly #role: iam.Role;
  readonly #settings: ReleaseSettings;
  readonly #alarms: readonly cloudwatch.IAlarm[];

  constructor(scope: Construct, settings: ReleaseSettings) {
    super(scope, "Releases");
    this.#settings = settings;
    this.#alarms = settings.alarmNames.map((name) => cloudwatch.Alarm.fromAlarmName(this, `Alarm-${name}`, name));
    this.#application = new codedeploy.LambdaApplication(this, "Application");
    this.#role = new iam.Role(this, "Role", { assumedBy: new iam.ServicePrincipal("codedeploy.amazonaws.com") });
    acknowledgeFindings(
      this.#role,
      "CodeDeploy needs what this policy of AWS allows: to move aliases, invoke hooks and read alarms. No hook exists.",
      "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]",
    );
  }

  /** Creates the alias of a function that its callers invoke. */
  release(fn: ServiceFunction, operationId: string): lambda.Alias {
    const { pace, namespace } = this.#settings;
    // The types of CDK do not fit each other under exactOptionalPropertyTypes.
    const version = fn.lambda.currentVersion as lambda.IVersion;
    const alias = new lambda.Alias(fn, "Live", { aliasName: ALIAS, version });
    const alarm = addFailingVersionAlarm({ fn, version, aliasName: ALIAS, operationId, namespace });
    new codedeploy.LambdaDeploymentGroup(fn, "Release", {
      alias,
      application: this.#application,
      role: this.#role,
      deploymentConfig: paces[pace],
      alarms: [alarm, ...this.#alarms],
    });
    // The alarm must watch the new version before the release of that version begins.
    alias.node.addDependency(alarm);
    return alias;
  }
}
