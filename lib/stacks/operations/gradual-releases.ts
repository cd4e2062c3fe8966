import type * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import * as codedeploy from "aws-cdk-lib/aws-codedeploy";
import * as iam from "aws-cdk-lib/aws-iam";
import * as lambda from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { acknowledgeFindings } from "../acknowledge-findings.ts";
import type { DeploymentConfig } from "../config.ts";
import type { ServiceFunction } from "../service-function.ts";

/** A pace at which requests move to a new version. */
export type ReleasePace = Exclude<DeploymentConfig["gradualReleases"], "off">;

const paces: { readonly [Pace in ReleasePace]: codedeploy.ILambdaDeploymentConfig } = {
  canary5: codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  canary15: codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
  linear10: codedeploy.LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
};

/**
 * Moves the requests of a group of functions to their new versions step by step. CodeDeploy moves them back as soon as
 * one of the alarms starts.
 */
export class GradualReleases extends Construct {
  readonly #application: codedeploy.LambdaApplication;
  readonly #role: iam.Role;
  readonly #pace: ReleasePace;
  readonly #alarms: cloudwatch.IAlarm[];

  constructor(scope: Construct, { pace, alarms }: { pace: ReleasePace; alarms: readonly cloudwatch.IAlarm[] }) {
    super(scope, "Releases");
    this.#pace = pace;
    this.#alarms = [...alarms];
    this.#application = new codedeploy.LambdaApplication(this, "Application");
    this.#role = new iam.Role(this, "Role", { assumedBy: new iam.ServicePrincipal("codedeploy.amazonaws.com") });
    acknowledgeFindings(
      this.#role,
      "CodeDeploy needs what this policy of AWS allows: to move aliases, invoke hooks and read alarms. No hook exists.",
      "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]",
    );
  }

  /** Creates the alias of a function that its callers invoke. */
  release(fn: ServiceFunction): lambda.Alias {
    // The types of CDK do not fit each other under exactOptionalPropertyTypes.
    const version = fn.lambda.currentVersion as lambda.IVersion;
    const alias = new lambda.Alias(fn, "Live", { aliasName: "live", version });
    new codedeploy.LambdaDeploymentGroup(fn, "Release", {
      alias,
      application: this.#application,
      role: this.#role,
      deploymentConfig: paces[this.#pace],
      alarms: this.#alarms,
    });
    return alias;
  }
}
