import type { Assembly, Resource } from "../../../lib/local/template/assembly.ts";
import { longestText, type Properties } from "./limit.ts";

const DEFAULT_VISIBILITY_S = 30;
const DEFAULT_TIMEOUT_S = 3;

/** Totals over all templates of the app, for the limits of `App`. */
export function appFigures({ resources }: Assembly): Readonly<Record<string, readonly number[]>> {
  const of = (type: string) => resources.filter((resource) => resource.type === type);
  const [roles, policies, mappings] = [
    of("AWS::IAM::Role"),
    of("AWS::IAM::ManagedPolicy"),
    of("AWS::Lambda::EventSourceMapping"),
  ];
  return {
    roles: [roles.length],
    managedPolicies: [policies.length],
    policiesByRole: roles.map((role) => managedPolicies(role, policies)),
    routesByApi: sizes(of("AWS::ApiGatewayV2::Route"), ({ ApiId }) => ApiId),
    integrationsByApi: sizes(of("AWS::ApiGatewayV2::Integration"), ({ ApiId }) => ApiId),
    rulesByBus: sizes(of("AWS::Events::Rule"), ({ EventBusName }) => EventBusName ?? "default"),
    readersByStream: sizes(
      mappings.filter(({ properties }) => properties.StartingPosition !== undefined),
      ({ EventSourceArn }) => EventSourceArn,
    ),
    invokersByFunction: policySizes(of("AWS::Lambda::Permission")),
    outlasting: mappings.flatMap((mapping) => outlasting(mapping, of("AWS::SQS::Queue"), of("AWS::Lambda::Function"))),
  };
}

function managedPolicies({ name, properties }: Resource, policies: readonly Resource[]): number {
  const attached = policies.filter((policy) => ((policy.properties.Roles ?? []) as unknown[]).includes(name));
  return attached.length + ((properties.ManagedPolicyArns ?? []) as unknown[]).length;
}

function sizes(resources: readonly Resource[], by: (properties: Properties) => unknown): number[] {
  return [...Map.groupBy(resources, ({ properties }) => by(properties)).values()].map(({ length }) => length);
}

/** Each permission becomes a statement of the function's policy, with an id and its conditions. */
function policySizes(permissions: readonly Resource[]): number[] {
  const byFunction = Map.groupBy(permissions, ({ properties }) => properties.FunctionName);
  const size = ({ properties }: Resource) => longestText(properties).length + 200;
  return [...byFunction.values()].map((group) => group.reduce((sum, permission) => sum + size(permission), 0));
}

/** Seconds by which the function of a mapping may run longer than messages of its queue stay hidden. */
function outlasting({ properties }: Resource, queues: readonly Resource[], functions: readonly Resource[]): number[] {
  const queue = queues.find(({ arn }) => arn === properties.EventSourceArn);
  const consumer = functions.find(({ arn }) => arn === properties.FunctionName);
  if (!queue || !consumer) return [];
  const hidden = Number(queue.properties.VisibilityTimeout ?? DEFAULT_VISIBILITY_S);
  return [Math.max(0, Number(consumer.properties.Timeout ?? DEFAULT_TIMEOUT_S) - hidden)];
}
