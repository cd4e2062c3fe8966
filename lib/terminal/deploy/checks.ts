import * as z from "zod";
import { configOf, type DeploymentConfig, settingsIn } from "../../stacks/config.ts";
import type { AskAws } from "./ask-aws.ts";
import { type Check, type CheckResult, ok, problem, unknown } from "./check.ts";

/** What the checks look at; everything may be absent. */
export interface Surroundings {
  readonly nodeVersion: string;
  /** The context of cdk.json. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly stage: string | undefined;
  /** From the environment or the profile. */
  readonly region: string | undefined;
  readonly ask: AskAws;
  /** How many stacks there are, and the most routes of one API. */
  readonly size: { readonly stacks: number; readonly routes: number };
}

/** Node that the project runs on, and the version of `cdk bootstrap` that the templates ask for. */
const [NODE, BOOTSTRAP] = [24, 6];
/** What AWS gives a new account, and the service is happy with. */
const [LEAST_CONCURRENCY, MOST_ROUTES, MOST_STACKS] = [100, 300, 2_000];

/** All checks, those first that need no network. */
export function checksOf(around: Surroundings): Check[] {
  const { context, stage } = around;
  let config: DeploymentConfig | undefined;
  try {
    config = configOf(settingsIn(context), context.stages, stage);
  } catch {
    // The check of the configuration says why.
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
    : problem(`${version}; run it by npm run doctor after npm ci, which brings Node ${NODE}`);
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
  if (region === undefined) return problem("none is set; set AWS_REGION, or the region of your profile");
  if (config && !region.startsWith(`${config.region}-`)) {
    return problem(`${region}, and the configuration says region ${config.region}; set one of the two`);
  }
  const { edge } = config ?? {};
  if (edge && edge.webAclArn === undefined && region !== "us-east-1") {
    return problem(`${region}, and a web ACL for CloudFront can be made in us-east-1 alone; set edge.webAclArn`);
  }
  return ok(region);
}

function certificateCheck(region: string | undefined, config: DeploymentConfig | undefined): CheckResult {
  const { domain } = config ?? {};
  if (!domain) return ok("no domain is configured");
  if (region === undefined) return unknown(`no region to compare with that of the certificate of ${domain.name}`);
  const [, , , of] = domain.certificateArn.split(":");
  if (of === region) return ok(`that of ${domain.name} is in ${of}`);
  return problem(`that of ${domain.name} is in ${of}, and the API is made in ${region}; have one issued there`);
}

function routesCheck(routes: number): CheckResult {
  if (routes <= MOST_ROUTES) return ok(`${routes} of the ${MOST_ROUTES} that an HTTP API may have`);
  return problem(`${routes}, and an HTTP API may have ${MOST_ROUTES}; ask for more in Service Quotas`);
}

/** Asks, and judges an answer of the shape that is expected. */
async function asked<S extends z.ZodType>(
  ask: AskAws,
  words: readonly string[],
  schema: S,
  judge: (value: z.output<S>) => CheckResult,
  refused: (why: string) => CheckResult,
): Promise<CheckResult> {
  const answer = await ask(...words);
  if (answer.kind === "unreachable") return unknown(`could not be asked: ${answer.why}`);
  if (answer.kind === "refused") return refused(answer.why);
  const parsed = schema.safeParse(answer.value);
  return parsed.success ? judge(parsed.data) : unknown("could not be understood");
}

const credentialsCheck = (ask: AskAws) =>
  asked(
    ask,
    ["sts", "get-caller-identity"],
    z.object({ Account: z.string(), Arn: z.string() }),
    ({ Account, Arn }) => ok(`${Arn} of the account ${Account}`),
    (why) => problem(`AWS does not take them (${why}); sign in again`),
  );

const bootstrapCheck = (ask: AskAws) =>
  asked(
    ask,
    ["ssm", "get-parameter", "--name", "/cdk-bootstrap/hnb659fds/version"],
    z.object({ Parameter: z.object({ Value: z.coerce.number() }) }),
    ({ Parameter: { Value } }) =>
      Value >= BOOTSTRAP
        ? ok(`version ${Value}`)
        : problem(`version ${Value}, and ${BOOTSTRAP} is needed; run npx cdk bootstrap`),
    (why) => problem(`${/ParameterNotFound/.test(why) ? "not done in this region" : why}; run npx cdk bootstrap`),
  );

const concurrencyCheck = (ask: AskAws) =>
  asked(
    ask,
    ["lambda", "get-account-settings"],
    z.object({ AccountLimit: z.object({ ConcurrentExecutions: z.number() }) }),
    ({ AccountLimit: { ConcurrentExecutions } }) =>
      ConcurrentExecutions >= LEAST_CONCURRENCY
        ? ok(`${ConcurrentExecutions} at once`)
        : problem(`${ConcurrentExecutions} at once are few for an application in use; ask for 1,000 in Service Quotas`),
    (why) => unknown(`could not be read: ${why}`),
  );

const stacksCheck = ({ ask, size }: Surroundings) =>
  asked(
    ask,
    ["cloudformation", "list-stacks", "--query", "length(StackSummaries[?StackStatus!='DELETE_COMPLETE'])"],
    z.number(),
    (there) =>
      there + size.stacks <= MOST_STACKS
        ? ok(`${there} are there, ${size.stacks} belong to this service, ${MOST_STACKS} are possible`)
        : problem(`${there} are there; ask for more than ${MOST_STACKS} in Service Quotas`),
    (why) => unknown(`could not be read: ${why}`),
  );
