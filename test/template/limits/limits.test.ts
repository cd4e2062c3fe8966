import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { everyOption, frankfurtCertificate, webAclArn } from "../support/all-options.ts";
import { maxForwards } from "../support/forwards.ts";
import { synthesizeService } from "../support/synthesize.ts";
import { type AwsLimit, awsLimits, unlimitedTypes } from "./aws-limits.ts";
import { createLimitExamples } from "./limit-examples.ts";
import { findExceeded, valuesAt } from "./limit-findings.ts";
import { listLimitSubjects } from "./limit-subjects.ts";

const LONGEST_NAME = `L${"o".repeat(38)}g`;

type Settings = Readonly<Record<string, unknown>>;

const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));

/** Deployments that differ in their resources, and deployments with names of maximum length. */
const deployments: Readonly<Record<string, Settings>> = {
  "by default": {},
  "with every option": everyOption,
  "with every option and the longest name": { ...everyOption, name: LONGEST_NAME },
  "with the most forwards and the longest name": { ...everyOption, forward: maxForwards, name: LONGEST_NAME },
  "with the shortest name": { name: "A" },
  "without a domain of its own": { ...everyOption, domain: undefined },
  "in the eu": {
    region: "eu",
    domain: { name: "origin.example.com", certificateArn: frankfurtCertificate },
    edge: { webAclArn },
  },
  ...Object.fromEntries(
    Object.entries<Settings>(context.stages).map(([stage, settings]) => [`of the stage ${stage}`, settings]),
  ),
  "for trying out": { removal: "destroy", restoreDays: 7, dashboard: false },
};

const services = Object.entries(deployments).map(([name, settings]) => {
  const service = synthesizeService(settings);
  return { name, service, subjects: listLimitSubjects(service) };
});

const inWords = ({ type, path, measure }: AwsLimit) => `${type} ${path} ${measure}`;
const findingsIn = (subjects: Parameters<typeof findExceeded>[1]) =>
  awsLimits.flatMap((limit) => findExceeded(limit, subjects));

test.each(services)("a deployment $name is within every limit of AWS", ({ subjects }) => {
  expect(findingsIn(subjects)).toEqual([]);
});

test("every resource type has limits, or a reason for their absence", () => {
  const types = new Set(services.flatMap(({ service }) => service.assembly.resources.map(({ type }) => type)));
  const covered = new Set([...awsLimits.map(({ type }) => type), ...Object.keys(unlimitedTypes)]);
  expect(types.size).toBeGreaterThan(25);
  expect([...types].filter((type) => !covered.has(type))).toEqual([]);
  for (const type of Object.keys(unlimitedTypes)) expect(types).toContain(type);
});

/**
 * Limits of features that the templates leave to AWS or do not use. A limit applies once a template uses its feature.
 */
const unused = [
  "* Tags items",
  "AWS::ApiGatewayV2::Authorizer ApiId count",
  "AWS::CloudWatch::Dashboard DashboardName characters",
  "AWS::DynamoDB::Table LocalSecondaryIndexes items",
  "AWS::DynamoDB::Table TableName characters",
  "AWS::Events::Rule Name characters",
  "AWS::Events::Rule Name form",
  "AWS::Events::Rule Targets.*.Input characters",
  "AWS::IAM::ManagedPolicy ManagedPolicyName characters",
  "AWS::IAM::Role Description characters",
  "AWS::IAM::Role Description form",
  "AWS::IAM::Role RoleName characters",
  "AWS::KMS::Alias AliasName characters",
  "AWS::KMS::Alias AliasName form",
  "AWS::Lambda::Function FunctionName characters",
  "AWS::Lambda::Function Layers items",
  // For the bundled functions, see assets.deep.test.ts.
  "AWS::Lambda::Function UnzippedBytes value",
  "AWS::Logs::ResourcePolicy Account count",
  "AWS::Logs::ResourcePolicy PolicyDocument bytes",
  "AWS::S3::Bucket BucketName characters",
  "AWS::SNS::Topic TopicName characters",
  "AWS::SQS::Queue DelaySeconds value",
  "AWS::SQS::Queue FifoQueueName form",
  "AWS::SQS::Queue QueueName characters",
  "AWS::SQS::Queue ReceiveMessageWaitTimeSeconds value",
  "AWS::StepFunctions::StateMachine StateMachineName characters",
  "AWS::WAFv2::WebACL Name characters",
  "Template Mappings items",
];

test("some template uses every limit, except those of unused features", () => {
  const all = services.flatMap(({ subjects }) => subjects);
  const isMet = ({ type: of, path }: AwsLimit) =>
    all.some(
      ({ type, properties }) =>
        (of === "*" || of === type) &&
        path.split(",").every((place) => valuesAt(properties, place.split(".")).length > 0),
    );
  expect(
    awsLimits
      .filter((limit) => !isMet(limit))
      .map(inWords)
      .sort(),
  ).toEqual(unused);
});

test("every limit names its AWS page and occurs once", () => {
  for (const { source } of awsLimits) expect(source).toMatch(/^https:\/\/docs\.aws\.amazon\.com\/[\w./-]+\.html$/);
  expect(new Set(awsLimits.map(inWords)).size).toBe(awsLimits.length);
});

describe("the check finds a value beyond the limit", () => {
  test.each(awsLimits.map((limit) => ({ words: inWords(limit), limit })))("$words", ({ limit }) => {
    const { refused, taken } = createLimitExamples(limit);
    expect(refused.length).toBeGreaterThan(0);
    for (const subjects of refused) expect(findExceeded(limit, subjects)).toHaveLength(1);
    for (const subjects of taken) expect(findExceeded(limit, subjects)).toEqual([]);
  });
});
