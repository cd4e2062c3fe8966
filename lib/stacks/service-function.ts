import * as iam from "aws-cdk-lib/aws-iam";
import * as lambda from "aws-cdk-lib/aws-lambda";
import * as logs from "aws-cdk-lib/aws-logs";
import { Duration, RemovalPolicy, SymlinkFollowMode } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { consumers } from "../../functions/index.ts";
import type { Grant } from "../contract/access.ts";
import { effectiveGrants } from "../contract/access-log-mode.ts";
import { isOnMainApiToo } from "../contract/console/console-path.ts";
import type { ConsumerContract } from "../contract/consumer.ts";
import { EDGE_ORIGIN, EDGE_SECRET } from "../contract/edge-secret.ts";
import type { EndpointContract } from "../contract/endpoint.ts";
import { grantsForTeam } from "../contract/team/team-keys.ts";
import { teamRoleVariable } from "../contract/team/team-role.ts";
import { acknowledgeFindings } from "./acknowledge-findings.ts";
import { hasQueue } from "./config.ts";
import type { DeploymentResources } from "./deployment-resources.ts";
import { ManagedPolicies } from "./permissions/managed-policies.ts";
import { TeamRole } from "./permissions/team-role.ts";
import { environmentFor, permissionsFor } from "./policy-statements.ts";

/** A Lambda function with its own role, policies and log group, derived from its contract. */
export class ServiceFunction extends Construct {
  readonly lambda: lambda.Function;
  /** All permissions of the function, except for writing traces. */
  readonly policies: ManagedPolicies;
  readonly role: iam.Role;

  constructor(scope: Construct, contract: EndpointContract | ConsumerContract, world: DeploymentResources) {
    super(scope, contract.operationId);
    const grants = effectiveGrants(contract).filter(
      ({ resource }) => resource.kind !== "queue" || hasQueue(world.config, resource),
    );
    const logGroup = this.#logGroup(contract, world);
    this.role = new iam.Role(this, "Role", {
      assumedBy: new iam.ServicePrincipal("lambda.amazonaws.com"),
      managedPolicies: [world.tracing],
    });
    this.policies = new ManagedPolicies(this, this.role);
    const forTeam = world.config.teamCredentials && contract.kind === "endpoint" ? grantsForTeam(contract) : [];
    this.policies.add(permissionsFor(withoutFirst(grants, forTeam), world));
    this.allow(["logs:CreateLogStream", "logs:PutLogEvents"], logGroup.logGroupArn);
    this.lambda = new lambda.Function(this, "Function", {
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code: lambda.Code.fromAsset(`${world.config.bundleDirectory}/${contract.operationId}`, {
        followSymlinks: SymlinkFollowMode.ALWAYS,
      }),
      handler: "index.handler",
      description: contract.summary,
      memorySize: contract.memoryMb,
      timeout: Duration.seconds(contract.timeoutS),
      // Otherwise CDK adds an inline policy for traces.
      role: this.role.withoutPolicyUpdates(),
      logGroup,
      tracing: tracingMode(contract),
      environment: { ...commonEnvironment(world), ...edgeSecretFor(contract, world), ...environmentFor(grants, world) },
    });
    // Lambda rejects a function whose role lacks permissions that its configuration requires.
    this.lambda.node.addDependency(this.policies);
    this.#assumeForTeam(contract, forTeam, world);
    acknowledgeFunctionFindings(this.lambda, contract);
    if (world.spanExporterArn !== undefined) this.#sendSpans(logGroup, world.spanExporterArn);
  }

  /** Lets the function assume a role for the team of its caller, if it has grants for it. */
  #assumeForTeam(
    { operationId }: EndpointContract | ConsumerContract,
    grants: readonly Grant[],
    world: DeploymentResources,
  ) {
    if (grants.length === 0) return;
    const { role, policies } = new TeamRole(this, { assumedBy: this.role, grants, world });
    this.allow(["sts:AssumeRole", "sts:TagSession"], role.roleArn);
    this.lambda.addEnvironment(teamRoleVariable(operationId), role.roleArn);
    this.lambda.node.addDependency(policies);
  }

  /** Lets CloudWatch Logs deliver the log lines of spans. The function itself does nothing for it. */
  #sendSpans({ logGroupName }: logs.LogGroup, destinationArn: string): void {
    const filterPattern = '{ $.message = "span" }';
    new logs.CfnSubscriptionFilter(this, "Spans", { logGroupName, filterPattern, destinationArn });
  }

  /** Adds a permission that follows from wiring and not from the contract. */
  allow(actions: readonly string[], resource: string, conditions: iam.Conditions = {}): void {
    this.policies.add([
      { statement: new iam.PolicyStatement({ actions: [...actions], resources: [resource], conditions }) },
    ]);
  }

  #logGroup(contract: EndpointContract | ConsumerContract, world: DeploymentResources): logs.LogGroup {
    return new logs.LogGroup(this, "Logs", {
      logGroupName: `/${world.config.name.toLowerCase()}/${contract.tag}/${contract.operationId}`,
      retention: world.config.logRetentionDays,
      encryptionKey: world.dataKey,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}

/** Removes each of some grants once. An equal grant that the function needs for another purpose stays. */
function withoutFirst(grants: readonly Grant[], some: readonly Grant[]): readonly Grant[] {
  const left = [...grants];
  for (const grant of some) left.splice(left.indexOf(grant), 1);
  return left;
}

/** Finds the contract of a consumer. @throws Error for an unknown one. */
export function findConsumer(operationId: string): ConsumerContract {
  const contract = consumers.find((candidate) => candidate.operationId === operationId);
  if (!contract) throw new Error(`no function ${operationId}`);
  return contract;
}

const isScheduled = (contract: EndpointContract | ConsumerContract) =>
  contract.kind === "consumer" &&
  (contract.trigger.kind === "schedule" ||
    (contract.trigger.kind === "setting" && contract.trigger.setting === "watch"));

/** Scheduled functions are not traced: their runs without work would be most of the traces of an idle deployment. */
const tracingMode = (contract: EndpointContract | ConsumerContract) =>
  isScheduled(contract) ? lambda.Tracing.PASS_THROUGH : lambda.Tracing.ACTIVE;

/** Scheduled functions have a dead-letter queue but no traces. All other functions have traces but no such queue. */
function acknowledgeFunctionFindings(fn: lambda.Function, contract: EndpointContract | ConsumerContract): void {
  acknowledgeFindings(
    fn,
    "Functions reach only AWS services and public addresses; the service has no private resource that needs a VPC.",
    "HIPAA.Security-LambdaInsideVPC",
  );
  acknowledgeFindings(
    fn,
    "The limit of an account cannot be split over all functions; stage throttling and mappings limit concurrency.",
    "HIPAA.Security-LambdaConcurrency",
  );
  if (isScheduled(contract)) {
    acknowledgeFindings(
      fn,
      "Traces of runs without work would be most of the cost of an idle deployment; logs record each run.",
      "Serverless-LambdaTracing",
    );
    return;
  }
  const isExporter = contract.kind === "consumer" && contract.trigger.kind === "setting";
  acknowledgeFindings(
    fn,
    isExporter
      ? "A delivery that fails three times loses spans, which the log groups still have; no data of users depends on them."
      : "API, queue, stream or state machine invoke it synchronously; Lambda uses its own queue for asynchronous calls only.",
    "HIPAA.Security-LambdaDLQ",
    "Serverless-LambdaDLQ",
  );
}

function edgeSecretFor(
  contract: EndpointContract | ConsumerContract,
  world: DeploymentResources,
): Record<string, string> {
  if (contract.kind !== "endpoint" || world.edgeSecret === undefined) return {};
  if (contract.auth === "management" && !isOnMainApiToo(contract)) return {};
  return {
    [EDGE_SECRET]: world.edgeSecret,
    [EDGE_ORIGIN]: world.edgeOrigin,
    EDGE_SECRET_VERSION: world.config.edge?.secretVersion ?? "",
  };
}

function commonEnvironment(world: DeploymentResources): Record<string, string> {
  const { environment, region, requestsPerSecond, workPerSecond, asOfDays, usersPerTeam, teamsPerOrg } = world.config;
  return {
    BASE_URL: world.baseUrl,
    SERVICE_ENVIRONMENT: environment,
    SERVICE_REGION: region,
    REQUESTS_PER_SECOND: String(requestsPerSecond),
    WORK_PER_SECOND: String(workPerSecond),
    AS_OF_DAYS: String(asOfDays),
    ...(usersPerTeam === undefined ? {} : { USERS_PER_TEAM: String(usersPerTeam) }),
    ...(teamsPerOrg === undefined ? {} : { TEAMS_PER_ORG: String(teamsPerOrg) }),
  };
}
