import * as z from "zod";
import { configOf, type DeploymentConfig, settingsIn } from "../../stacks/config.ts";
import type { AskAws } from "./ask-aws.ts";
import { type Check, type CheckResult, ok, problem, unknown } from "./check.ts";

/** Input of the checks. */
export interface Surroundings {
  readonly nodeVersion: string;
  /** The context of cdk.json. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly stage: string | undefined;
  /** From the environment or the profile. */
  readonly region: string | undefined;
  readonly ask: AskAws;
  /** Number of stacks of the service, and the larger number of routes of its two APIs. */
  readonly size: { readonly stacks: number; readonly routes: number };
}

/** Required major version of Node, and minimum version of the CDK bootstrap stack. */
const [NODE, BOOTSTRAP] = [24, 6];
/** Recommended minimum concurrency, and AWS's default limits of a new account. */
const [LEAST_CONCURRENCY, MOST_ROUTES, MOST_STACKS] = [100, 300, 2_000];

/** All checks. Those without network access come first. */
export function checksOf(around: Surroundings): Check[] {
  const { context, stage } = around;
  let config: DeploymentConfig | undefined;
  try {
    config = configOf(settingsIn(context), context.stages, stage);
  } catch {
    // The configuration check reports the error.
  }
  return [
    { about: "Node", run: () => nodeCheck(around.nodeVersion) },
    { about: "Configuration", run: () => configCheck(around) },
    { about: "AWS region", run: () => regionCheck(around.region, config) },
    { about: "Certificates", run: () => certificateCheck(around.region, config) },
    { about: "Routes", run: () => routesCheck(around.size.routes) },
    { about: "AWS credentials", run: () => credentialsCheck(around.ask) },
    { about: "CDK bootstrap", run: () => bootstrapCheck(around.ask) },
    { about: "Lambda concurrency", run: () => concurrencyCheck(around.ask) },
    { about: "Stacks", run: () => stacksCheck(around) },
  ];
}

function nodeCheck(version: string): CheckResult {
  const isEnough = Number(version.split(".")[0]) >= NODE;
  return isEnough
    ? ok(version)
    : problem(`${version} is not supported; run npm ci, which installs Node ${NODE}, then npm run doctor`);
}

function configCheck({ context, stage }: Surroundings): CheckResult {
  try {
    const { name, environment, region } = configOf(settingsIn(context), context.stages, stage);
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
  if (routes <= MOST_ROUTES) return ok(`${routes} of at most ${MOST_ROUTES} per HTTP API`);
  return problem(`${routes} exceed the limit of ${MOST_ROUTES} per HTTP API; request an increase in Service Quotas`);
}

/** Runs an AWS CLI command, validates its output, and evaluates it. */
async function asked<S extends z.ZodType>(
  ask: AskAws,
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

const credentialsCheck = (ask: AskAws) =>
  asked(
    ask,
    ["sts", "get-caller-identity"],
    z.object({ Account: z.string(), Arn: z.string() }),
    ({ Account, Arn }) => ok(`${Arn} in account ${Account}`),
    (why) => problem(`AWS rejects them (${why}); sign in again`),
  );

const bootstrapCheck = (ask: AskAws) =>
  asked(
    ask,
    ["ssm", "get-parameter", "--name", "/cdk-bootstrap/hnb659fds/version"],
    z.object({ Parameter: z.object({ Value: z.coerce.number() }) }),
    ({ Parameter: { Value } }) =>
      Value >= BOOTSTRAP
        ? ok(`version ${Value}`)
        : problem(`version ${Value} is older than the required ${BOOTSTRAP}; run npx cdk bootstrap`),
    (why) =>
      problem(`${/ParameterNotFound/.test(why) ? "this region is not bootstrapped" : why}; run npx cdk bootstrap`),
  );

const concurrencyCheck = (ask: AskAws) =>
  asked(
    ask,
    ["lambda", "get-account-settings"],
    z.object({ AccountLimit: z.object({ ConcurrentExecutions: z.number() }) }),
    ({ AccountLimit: { ConcurrentExecutions } }) =>
      ConcurrentExecutions >= LEAST_CONCURRENCY
        ? ok(`${ConcurrentExecutions} concurrent executions`)
        : problem(
            `${ConcurrentExecutions} concurrent executions are too few for production; request 1,000 in Service Quotas`,
          ),
    (why) => unknown(`could not be read: ${why}`),
  );

const stacksCheck = ({ ask, size }: Surroundings) =>
  asked(
    ask,
    ["cloudformation", "list-stacks", "--query", "length(StackSummaries[?StackStatus!='DELETE_COMPLETE'])"],
    z.number(),
    (there) =>
      there + size.stacks <= MOST_STACKS
        ? ok(`${there} exist, this service has ${size.stacks}, the limit is ${MOST_STACKS}`)
        : problem(
            `${there} exist and this service adds ${size.stacks}; request more than ${MOST_STACKS} in Service Quotas`,
          ),
    (why) => unknown(`could not be read: ${why}`),
  );
