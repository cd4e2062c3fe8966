import * as z from "zod";
import { type DeploymentConfig, resolveConfig, settingsFromContext } from "../../stacks/config.ts";
import { countCoreStacks } from "../../stacks/stack-names.ts";
import type { RunAwsCli } from "./aws-cli.ts";
import { type Check, type CheckResult, ok, problem, unknown } from "./run-checks.ts";

/** Input of the checks. */
export interface CheckEnvironment {
  readonly nodeVersion: string;
  /** The context of cdk.json. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly stage: string | undefined;
  /** From the environment or the profile. */
  readonly region: string | undefined;
  readonly runAwsCli: RunAwsCli;
  /** Number of groups of endpoints, each a stack, and the larger number of routes of the two APIs. */
  readonly size: { readonly endpointGroups: number; readonly routes: number };
}

/** Required major version of Node, and minimum version of the CDK bootstrap stack. */
const [REQUIRED_NODE_MAJOR, MIN_BOOTSTRAP_VERSION] = [24, 6];
/** Recommended minimum concurrency, and AWS's default limits of a new account. */
const [MIN_CONCURRENCY, MAX_ROUTES, MAX_STACKS] = [100, 300, 2_000];

/** All checks. Those without network access come first. */
export function createChecks(around: CheckEnvironment): Check[] {
  const { context, stage } = around;
  let config: DeploymentConfig | undefined;
  try {
    config = resolveConfig(settingsFromContext(context), context.stages, stage);
  } catch {
    // The configuration check reports the error.
  }
  return [
    { label: "Node", run: () => nodeCheck(around.nodeVersion) },
    { label: "Configuration", run: () => configCheck(around) },
    { label: "AWS region", run: () => regionCheck(around.region, config) },
    { label: "Certificates", run: () => certificateCheck(around.region, config) },
    { label: "Routes", run: () => routesCheck(around.size.routes) },
    { label: "AWS credentials", run: () => credentialsCheck(around.runAwsCli) },
    { label: "CDK bootstrap", run: () => bootstrapCheck(around.runAwsCli) },
    { label: "Lambda concurrency", run: () => concurrencyCheck(around.runAwsCli) },
    { label: "Stacks", run: () => stacksCheck(around, config) },
  ];
}

function nodeCheck(version: string): CheckResult {
  const isEnough = Number(version.split(".")[0]) >= REQUIRED_NODE_MAJOR;
  return isEnough
    ? ok(version)
    : problem(
        `${version} is not supported; run npm ci, which installs Node ${REQUIRED_NODE_MAJOR}, then npm run doctor`,
      );
}

function configCheck({ context, stage }: CheckEnvironment): CheckResult {
  try {
    const { name, environment, region } = resolveConfig(settingsFromContext(context), context.stages, stage);
    return ok(`${stage ?? "no stage"}: ${name}, ${environment}, ${region}`);
  } catch (error) {
    return problem(`${error instanceof Error ? error.message.replaceAll(/\s+/g, " ") : error}; see docs/deploy.md`);
  }
}

function regionCheck(region: string | undefined, config: DeploymentConfig | undefined): CheckResult {
  if (region === undefined) return problem("no region is set; set AWS_REGION, or the region of your profile");
  if (config && !region.startsWith(`${config.region}-`)) {
    return problem(
      `${region} does not match the configuration, which says region ${config.region}; change one of the two`,
    );
  }
  const { edge } = config ?? {};
  if (edge && edge.webAclArn === undefined && region !== "us-east-1") {
    return problem(`${region} cannot contain a web ACL for CloudFront, only us-east-1 can; set edge.webAclArn`);
  }
  return ok(region);
}

function certificateCheck(region: string | undefined, config: DeploymentConfig | undefined): CheckResult {
  const { domain } = config ?? {};
  if (!domain) return ok("no domain is configured");
  if (region === undefined) return unknown(`no region is set to compare with the certificate of ${domain.name}`);
  const [, , , of] = domain.certificateArn.split(":");
  if (of === region) return ok(`the certificate of ${domain.name} is in ${of}`);
  return problem(
    `the certificate of ${domain.name} is in ${of}, but the API is in ${region}; request one in ${region}`,
  );
}

function routesCheck(routes: number): CheckResult {
  if (routes <= MAX_ROUTES) return ok(`${routes} of at most ${MAX_ROUTES} per HTTP API`);
  return problem(`${routes} exceed the limit of ${MAX_ROUTES} per HTTP API; request an increase in Service Quotas`);
}

/** Runs an AWS CLI command, validates its output, and evaluates it. */
async function checkAws<S extends z.ZodType>(
  ask: RunAwsCli,
  words: readonly string[],
  schema: S,
  judge: (value: z.output<S>) => CheckResult,
  refused: (why: string) => CheckResult,
): Promise<CheckResult> {
  const answer = await ask(...words);
  if (answer.kind === "unreachable") return unknown(`AWS could not be reached: ${answer.why}`);
  if (answer.kind === "refused") return refused(answer.why);
  const parsed = schema.safeParse(answer.value);
  return parsed.success ? judge(parsed.data) : unknown("the response of AWS has an unexpected format");
}

/** What the AWS CLI says before any request. */
const NO_CREDENTIALS = /unable to locate credentials|NoCredentials/i;

const credentialsCheck = (ask: RunAwsCli) =>
  checkAws(
    ask,
    ["sts", "get-caller-identity"],
    z.object({ Account: z.string(), Arn: z.string() }),
    ({ Account, Arn }) => ok(`${Arn} in account ${Account}`),
    (why) =>
      NO_CREDENTIALS.test(why)
        ? problem("none are set; sign in, for example with aws sso login, or set AWS_PROFILE")
        : problem(`AWS rejects them (${why}); sign in again`),
  );

const bootstrapCheck = (ask: RunAwsCli) =>
  checkAws(
    ask,
    ["ssm", "get-parameter", "--name", "/cdk-bootstrap/hnb659fds/version"],
    z.object({ Parameter: z.object({ Value: z.coerce.number() }) }),
    ({ Parameter: { Value } }) =>
      Value >= MIN_BOOTSTRAP_VERSION
        ? ok(`version ${Value}`)
        : problem(`version ${Value} is older than the required ${MIN_BOOTSTRAP_VERSION}; run npx cdk bootstrap`),
    (why) =>
      problem(`${/ParameterNotFound/.test(why) ? "this region is not bootstrapped" : why}; run npx cdk bootstrap`),
  );

const concurrencyCheck = (ask: RunAwsCli) =>
  checkAws(
    ask,
    ["lambda", "get-account-settings"],
    z.object({ AccountLimit: z.object({ ConcurrentExecutions: z.number() }) }),
    ({ AccountLimit: { ConcurrentExecutions } }) =>
      ConcurrentExecutions >= MIN_CONCURRENCY
        ? ok(`${ConcurrentExecutions} concurrent executions`)
        : problem(
            `${ConcurrentExecutions} concurrent executions are too few for production; request 1,000 in Service Quotas`,
          ),
    (why) => unknown(`could not be read: ${why}`),
  );

function stacksCheck(
  { runAwsCli, size }: CheckEnvironment,
  config: DeploymentConfig | undefined,
): Promise<CheckResult> {
  const stacks = size.endpointGroups + countCoreStacks(config);
  return checkAws(
    runAwsCli,
    ["cloudformation", "list-stacks", "--query", "length(StackSummaries[?StackStatus!='DELETE_COMPLETE'])"],
    z.number(),
    (there) =>
      there + stacks <= MAX_STACKS
        ? ok(`${there} exist, this service has ${stacks}, the limit is ${MAX_STACKS}`)
        : problem(`${there} exist and this service adds ${stacks}; request more than ${MAX_STACKS} in Service Quotas`),
    (why) => unknown(`could not be read: ${why}`),
  );
}
