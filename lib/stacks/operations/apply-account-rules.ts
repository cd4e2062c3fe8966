import * as iam from "aws-cdk-lib/aws-iam";
import { type App, type Stack, Tags } from "aws-cdk-lib/core";
import type { DeploymentConfig } from "../config.ts";

/** Applies what an account requires of every resource and role. */
export function applyAccountRules(
  app: App,
  scope: Stack,
  { tags, permissionsBoundaryArn: arn }: DeploymentConfig,
): void {
  for (const [key, value] of Object.entries(tags)) Tags.of(app).add(key, value);
  if (arn === undefined) return;
  iam.PermissionsBoundary.of(app).apply(iam.ManagedPolicy.fromManagedPolicyArn(scope, "Boundary", arn));
}
