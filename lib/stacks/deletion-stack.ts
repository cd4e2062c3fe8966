import * as iam from "aws-cdk-lib/aws-iam";
import * as logs from "aws-cdk-lib/aws-logs";
import * as sfn from "aws-cdk-lib/aws-stepfunctions";
import * as tasks from "aws-cdk-lib/aws-stepfunctions-tasks";
import { ArnFormat, Duration, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { acknowledgeWildcard } from "./acknowledge-findings.ts";
import type { DeploymentResources } from "./deployment-resources.ts";
import { ServiceAlarm } from "./service-alarm.ts";
import { findConsumer, ServiceFunction } from "./service-function.ts";

/** The functions of the steps. */
interface DeletionSteps {
  readonly begin: ServiceFunction;
  readonly consents: ServiceFunction;
  readonly lakes: ServiceFunction;
  readonly erase: ServiceFunction;
}

/** The state machine that waits for the grace period of a deletion and then erases the user, with its steps. */
export class DeletionStack extends Stack {
  readonly machineArn: string;
  readonly executionsArn: string;

  constructor(scope: Construct, id: string, props: StackProps & { world: DeploymentResources }) {
    super(scope, id, props);
    const { world } = props;
    const begin = new ServiceFunction(this, findConsumer("beginErasure"), world);
    const consents = new ServiceFunction(this, findConsumer("endConsents"), world);
    const lakes = new ServiceFunction(this, findConsumer("eraseFromLake"), world);
    const erase = new ServiceFunction(this, findConsumer("eraseUser"), world);
    const logGroup = this.#logGroup(world);
    const role = this.#role(world);
    const machine = new sfn.StateMachine(this, "Machine", {
      comment: "Holds the deletion of a user for its grace period, then erases",
      definitionBody: sfn.DefinitionBody.fromChainable(this.#definition({ begin, consents, lakes, erase })),
      role: role.withoutPolicyUpdates(),
      logs: { destination: logGroup, level: sfn.LogLevel.ALL, includeExecutionData: false },
      tracingEnabled: true,
    });
    // Step Functions rejects a state machine whose role cannot write to its log yet.
    machine.node.addDependency(this.#policy(role, [begin, consents, lakes, erase]));
    this.machineArn = machine.stateMachineArn;
    this.executionsArn = this.formatArn({
      service: "states",
      resource: "execution",
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      resourceName: `${machine.stateMachineName}:del-*`,
    });
    this.#alarm(machine, world);
  }

  #definition({ begin, consents, lakes, erase }: DeletionSteps): sfn.IChainable {
    const retry = {
      errors: ["States.ALL"],
      interval: Duration.seconds(10),
      maxAttempts: 10,
      backoffRate: 2,
      maxDelay: Duration.hours(1),
    };
    const wait = new sfn.Wait(this, "Hold for the grace period", { time: sfn.WaitTime.timestampPath("$.erase_at") });
    const start = this.#step("Begin erasure", begin, "$.begin");
    const end = this.#step("Give access back", consents);
    const clear = this.#step("Erase from lake", lakes);
    const run = this.#step("Erase user", erase, "$.erase");
    const undone = new sfn.Succeed(this, "Undone");
    const decide = new sfn.Choice(this, "Does the deletion stand?")
      .when(
        sfn.Condition.booleanEquals("$.begin.Payload.proceed", true),
        // A permanently unavailable provider must not prevent the erasure.
        end.addRetry(retry).addCatch(clear, { resultPath: sfn.JsonPath.DISCARD }).next(clear),
      )
      .otherwise(undone);
    clear.addRetry(retry).next(run);
    run.addRetry(retry).next(new sfn.Succeed(this, "Erased"));
    return wait.next(start.addRetry(retry)).next(decide);
  }

  #step(id: string, { lambda }: ServiceFunction, resultPath = sfn.JsonPath.DISCARD): tasks.LambdaInvoke {
    return new tasks.LambdaInvoke(this, id, { lambdaFunction: lambda, resultPath, retryOnServiceExceptions: false });
  }

  #role(world: DeploymentResources): iam.Role {
    return new iam.Role(this, "MachineRole", {
      // Only this account may use the role (Step Functions guide, "Prevent cross-service confused deputy issue").
      assumedBy: new iam.ServicePrincipal("states.amazonaws.com", {
        conditions: {
          StringEquals: { "aws:SourceAccount": this.account },
          ArnLike: {
            "aws:SourceArn": this.formatArn({
              service: "states",
              resource: "stateMachine",
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
              resourceName: "*",
            }),
          },
        },
      }),
      managedPolicies: [world.tracing],
    });
  }

  #policy(role: iam.Role, steps: readonly ServiceFunction[]): iam.ManagedPolicy {
    const policy = new iam.ManagedPolicy(this, "MachinePolicy", {
      roles: [role],
      statements: [
        new iam.PolicyStatement({
          actions: ["lambda:InvokeFunction"],
          resources: steps.map((step) => step.lambda.functionArn),
        }),
        // Log delivery does not support resources (Step Functions guide, "Logging to CloudWatch Logs").
        new iam.PolicyStatement({ actions: LOG_DELIVERY_ACTIONS, resources: ["*"] }),
        // Neither do the rules that decide which executions have a trace (the same guide, "IAM policies for X-Ray").
        new iam.PolicyStatement({ actions: SAMPLING_ACTIONS, resources: ["*"] }),
      ],
    });
    acknowledgeWildcard(
      policy,
      "The log delivery and sampling actions of a state machine do not support resources; the statements allow nothing else.",
      "*",
    );
    return policy;
  }

  #logGroup(world: DeploymentResources): logs.LogGroup {
    return new logs.LogGroup(this, "MachineLogs", {
      logGroupName: `/aws/vendedlogs/states/${world.config.name.toLowerCase()}-deletion`,
      retention: world.config.logRetentionDays,
      encryptionKey: world.dataKey,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  #alarm(machine: sfn.StateMachine, world: DeploymentResources): void {
    new ServiceAlarm(this, "FailedDeletions", {
      metric: machine.metricFailed({ period: Duration.minutes(5) }),
      impact: "A user who asked to be erased is not erased.",
      runbook: "failed-deletion",
      topic: world.alarms,
    });
  }
}

const LOG_DELIVERY_ACTIONS = [
  "logs:CreateLogDelivery",
  "logs:GetLogDelivery",
  "logs:UpdateLogDelivery",
  "logs:DeleteLogDelivery",
  "logs:ListLogDeliveries",
  "logs:PutResourcePolicy",
  "logs:DescribeResourcePolicies",
  "logs:DescribeLogGroups",
];

const SAMPLING_ACTIONS = ["xray:GetSamplingRules", "xray:GetSamplingTargets"];
