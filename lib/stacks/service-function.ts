import * as iam from "aws-cdk-lib/aws-iam";
import * as lambda from "aws-cdk-lib/aws-lambda";
import * as logs from "aws-cdk-lib/aws-logs";
import { Duration, RemovalPolicy, SymlinkFollowMode } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { ConsumerContract } from "../contract/consumer.ts";
import { EDGE_SECRET } from "../contract/edge.ts";
import type { EndpointContract } from "../contract/endpoint.ts";
import { grantsOf } from "../contract/noted-calls.ts";
import { ManagedPolicies } from "./managed-policies.ts";
import { environmentFor, statementsFor } from "./policy-statements.ts";
import type { World } from "./world.ts";

/** A Lambda function with its own role, policies and log group, derived from its contract. */
export class ServiceFunction extends Construct {
  readonly lambda: lambda.Function;
  /** All permissions of the function, except for writing traces. */
  readonly policies: ManagedPolicies;
  readonly role: iam.Role;

  constructor(scope: Construct, contract: EndpointContract | ConsumerContract, world: World) {
    super(scope, contract.operationId);
    const grants = grantsOf(contract);
    const logGroup = this.#logGroup(contract, world);
    this.role = new iam.Role(this, "Role", {
      assumedBy: new iam.ServicePrincipal("lambda.amazonaws.com"),
      managedPolicies: [world.tracing],
    });
    this.policies = new ManagedPolicies(this, this.role);
    this.policies.add(statementsFor(grants, world));
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
      tracing: tracingOf(contract),
      environment: { ...commonEnvironment(world), ...edgeSecretFor(contract, world), ...environmentFor(grants, world) },
    });
    // Lambda rejects a function whose role lacks permissions that its configuration requires.
    this.lambda.node.addDependency(this.policies);
  }

  /** Adds a permission that follows from wiring and not from the contract. */
  allow(actions: readonly string[], resource: string, conditions: iam.Conditions = {}): void {
    this.policies.add([new iam.PolicyStatement({ actions: [...actions], resources: [resource], conditions })]);
  }

  #logGroup(contract: EndpointContract | ConsumerContract, world: World): logs.LogGroup {
    return new logs.LogGroup(this, "Logs", {
      logGroupName: `/${world.config.name.toLowerCase()}/${contract.tag}/${contract.operationId}`,
      retention: world.config.logRetentionDays,
      encryptionKey: world.dataKey,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}

/** Scheduled functions are not traced: their runs without work would be most of the traces of an idle deployment. */
function tracingOf(contract: EndpointContract | ConsumerContract): lambda.Tracing {
  const isScheduled = contract.kind === "consumer" && contract.trigger.kind === "schedule";
  return isScheduled ? lambda.Tracing.PASS_THROUGH : lambda.Tracing.ACTIVE;
}

function edgeSecretFor({ kind }: EndpointContract | ConsumerContract, world: World): Record<string, string> {
  if (kind !== "endpoint" || world.edgeSecret === undefined) return {};
  return { [EDGE_SECRET]: world.edgeSecret, EDGE_SECRET_VERSION: world.config.edge?.secretVersion ?? "" };
}

function commonEnvironment(world: World): Record<string, string> {
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
