// @module-tag deep
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { everyOption } from "../support/all-options.ts";
import { parseStatements } from "../support/policy-document.ts";
import { resourcesOfType, synthesizeService } from "../support/synthesize.ts";

/**
 * What this service needs of the policies of AWS that two roles have. Source: AWS Managed Policy Reference Guide. The first
 * also allows hooks and copies of releases in S3, the second also backups of other services.
 */
const ofAws: Readonly<Record<string, readonly string[]>> = {
  AWSCodeDeployRoleForLambdaLimited: [
    "cloudwatch:DescribeAlarms",
    "lambda:GetAlias",
    "lambda:GetProvisionedConcurrencyConfig",
    "lambda:UpdateAlias",
  ],
  AWSBackupServiceRolePolicyForBackup: [
    ...["backup:CopyIntoBackupVault", "backup:DescribeBackupVault"],
    ...["dynamodb:CreateBackup", "dynamodb:DeleteBackup", "dynamodb:DescribeBackup", "dynamodb:DescribeTable"],
    ...["dynamodb:ListTagsOfResource", "dynamodb:StartAwsBackupJob", "tag:GetResources"],
    ...["kms:CreateGrant", "kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey"],
  ],
};

const roleProperties = z.object({
  ManagedPolicyArns: z.array(z.unknown()).default([]),
  Policies: z.undefined().optional(),
});
const service = synthesizeService({ ...everyOption, reportReader: "textract" });

test("the documented permissions boundary allows exactly what the policies of all roles allow", () => {
  const own = resourcesOfType(service, "AWS::IAM::ManagedPolicy").flatMap(({ properties }) =>
    parseStatements(properties.PolicyDocument).flatMap(({ Action }) => Action),
  );
  const roles = service.templates.flatMap(({ resources }) =>
    Object.values(resources).filter(({ Type }) => Type === "AWS::IAM::Role"),
  );
  const named = roles.flatMap(({ Properties }) =>
    roleProperties.parse(Properties).ManagedPolicyArns.flatMap((arn) => {
      const [, name] = /:policy\/service-role\/(\w+)/.exec(JSON.stringify(arn)) ?? [];
      return name ?? [];
    }),
  );
  expect([...new Set(named)].sort()).toEqual(Object.keys(ofAws).sort());
  const needed = new Set([...own, ...named.flatMap((name) => ofAws[name] ?? [])]);
  const boundary = parseStatements(JSON.parse(readFileSync("docs/policies/permissions-boundary.json", "utf8")));
  expect(boundary.flatMap(({ Action }) => Action)).toEqual([...needed].sort());
});

test("the documented permissions boundary fits into one managed policy", () => {
  const text = readFileSync("docs/policies/permissions-boundary.json", "utf8");
  expect(JSON.stringify(JSON.parse(text)).length).toBeLessThanOrEqual(6_144);
});
