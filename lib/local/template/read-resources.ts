import * as z from "zod";
import type { Rule } from "../events/rules.ts";
import type { CorsConfiguration } from "../http-api/cors.ts";
import type { QueueDefinition } from "../sqs/queue-definition.ts";
import type { ResolvedAssembly } from "./read-assembly.ts";
import { ofType } from "./resources-of-type.ts";

const queue = z.object({
  VisibilityTimeout: z.number().default(30),
  DelaySeconds: z.number().default(0),
  MessageRetentionPeriod: z.number().default(345_600),
  RedrivePolicy: z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: z.number() }).optional(),
});

/** Reads the queues of the templates, dead-letter queues first. */
export function readQueues(assembly: ResolvedAssembly): QueueDefinition[] {
  const definitions = ofType(assembly, "AWS::SQS::Queue", queue).map(({ name, arn = "", ref = "", read }) => ({
    name,
    arn,
    url: ref,
    visibilityTimeoutS: read.VisibilityTimeout,
    delayS: read.DelaySeconds,
    retentionS: read.MessageRetentionPeriod,
    redrive: read.RedrivePolicy && {
      deadLetterArn: read.RedrivePolicy.deadLetterTargetArn,
      maxReceiveCount: read.RedrivePolicy.maxReceiveCount,
    },
  }));
  return definitions.sort((a, b) => Number(a.redrive !== undefined) - Number(b.redrive !== undefined));
}

const rule = z.object({
  EventBusName: z.string().default("default"),
  EventPattern: z.unknown().optional(),
  ScheduleExpression: z.string().optional(),
  State: z.string().default("ENABLED"),
  Targets: z
    .array(
      z.object({
        Id: z.string(),
        Arn: z.string(),
        Input: z.string().optional(),
        InputPath: z.string().optional(),
        InputTransformer: z
          .object({ InputPathsMap: z.record(z.string(), z.string()).default({}), InputTemplate: z.string() })
          .optional(),
        DeadLetterConfig: z.object({ Arn: z.string() }).optional(),
        RetryPolicy: z
          .object({ MaximumRetryAttempts: z.number().optional(), MaximumEventAgeInSeconds: z.number().optional() })
          .optional(),
        SqsParameters: z.object({ MessageGroupId: z.string() }).optional(),
      }),
    )
    .default([]),
});

/** Reads the EventBridge rules of the templates. */
export function readRules(assembly: ResolvedAssembly): Rule[] {
  return ofType(assembly, "AWS::Events::Rule", rule).map(({ name, arn = "", read }) => ({
    name,
    arn,
    busName: read.EventBusName,
    ...(read.EventPattern === undefined ? {} : { pattern: read.EventPattern }),
    ...(read.ScheduleExpression === undefined ? {} : { schedule: read.ScheduleExpression }),
    enabled: read.State === "ENABLED",
    targets: read.Targets.map(toRuleTarget),
  }));
}

function toRuleTarget(target: z.output<typeof rule>["Targets"][number]): Rule["targets"][number] {
  const { Id, Arn, Input, InputPath, InputTransformer, DeadLetterConfig, RetryPolicy, SqsParameters } = target;
  return {
    id: Id,
    arn: Arn,
    ...(Input === undefined ? {} : { input: Input }),
    ...(InputPath === undefined ? {} : { inputPath: InputPath }),
    ...(InputTransformer
      ? {
          inputTransformer: {
            inputPathsMap: InputTransformer.InputPathsMap,
            inputTemplate: InputTransformer.InputTemplate,
          },
        }
      : {}),
    ...(DeadLetterConfig ? { deadLetterArn: DeadLetterConfig.Arn } : {}),
    ...(RetryPolicy ? { retry: toRetryPolicy(RetryPolicy) } : {}),
    ...(SqsParameters ? { sqs: { messageGroupId: SqsParameters.MessageGroupId } } : {}),
  };
}

function toRetryPolicy({
  MaximumRetryAttempts,
  MaximumEventAgeInSeconds,
}: {
  MaximumRetryAttempts?: number | undefined;
  MaximumEventAgeInSeconds?: number | undefined;
}) {
  return {
    ...(MaximumRetryAttempts === undefined ? {} : { maximumRetryAttempts: MaximumRetryAttempts }),
    ...(MaximumEventAgeInSeconds === undefined ? {} : { maximumEventAgeS: MaximumEventAgeInSeconds }),
  };
}

const mapping = z.object({
  FunctionName: z.string(),
  EventSourceArn: z.string(),
  BatchSize: z.number().default(10),
  MaximumRetryAttempts: z.number().default(-1),
  FilterCriteria: z.object({ Filters: z.array(z.object({ Pattern: z.string() })) }).optional(),
  DestinationConfig: z.object({ OnFailure: z.object({ Destination: z.string() }) }).optional(),
  ScalingConfig: z.object({ MaximumConcurrency: z.number() }).optional(),
});

/** Reads the event source mappings of the templates. */
export function readEventSourceMappings(assembly: ResolvedAssembly) {
  return ofType(assembly, "AWS::Lambda::EventSourceMapping", mapping).map(({ read }) => ({
    functionArn: read.FunctionName,
    sourceArn: read.EventSourceArn,
    batchSize: read.BatchSize,
    maximumRetryAttempts: read.MaximumRetryAttempts,
    patterns: (read.FilterCriteria?.Filters ?? []).map(({ Pattern }) => JSON.parse(Pattern) as unknown),
    onFailureArn: read.DestinationConfig?.OnFailure.Destination,
    maxConcurrency: read.ScalingConfig?.MaximumConcurrency,
  }));
}

const machine = z.object({ DefinitionString: z.string() });

/** Reads the state machines of the templates. */
export function readStateMachines(assembly: ResolvedAssembly) {
  const found = ofType(assembly, "AWS::StepFunctions::StateMachine", machine);
  return found.map(({ name, arn = "", read }) => ({ name, arn, definition: read.DefinitionString }));
}

const api = z.object({
  Name: z.string(),
  CorsConfiguration: z
    .object({
      AllowOrigins: z.array(z.string()).optional(),
      AllowMethods: z.array(z.string()).optional(),
      AllowHeaders: z.array(z.string()).optional(),
      ExposeHeaders: z.array(z.string()).optional(),
      MaxAge: z.number().optional(),
      AllowCredentials: z.boolean().optional(),
    })
    .optional(),
});
const route = z.object({ ApiId: z.string(), RouteKey: z.string(), Target: z.string() });
const integration = z.object({ IntegrationUri: z.string() });

/** Reads the HTTP APIs of the templates with their routes and functions. */
export function readHttpApis(assembly: ResolvedAssembly) {
  const integrations = ofType(assembly, "AWS::ApiGatewayV2::Integration", integration);
  const functionOf = new Map(integrations.map(({ ref, read }) => [`integrations/${ref}`, read.IntegrationUri]));
  const routes = ofType(assembly, "AWS::ApiGatewayV2::Route", route);
  return ofType(assembly, "AWS::ApiGatewayV2::Api", api).map(({ ref, read }) => ({
    name: read.Name,
    cors: read.CorsConfiguration as CorsConfiguration | undefined,
    routes: routes
      .filter((one) => one.read.ApiId === ref)
      .map((one) => ({ routeKey: one.read.RouteKey, functionArn: functionOf.get(one.read.Target) ?? "" })),
  }));
}
