import { isSecretSet } from "./engines/secrets-manager.ts";
import type { LocalCloud } from "./local-cloud.ts";
import { readHttpApis } from "./template/read-resources.ts";

/** Lists the running resources, as the synthesized templates declare them, with queue depths and open executions. */
export function resourcesReport(cloud: LocalCloud) {
  const { assembly, queues, bus, machines, secrets } = cloud;
  const named = (type: string) =>
    assembly.resources.filter((resource) => resource.type === type).map(({ name }) => name);
  // A queue without a redrive policy is a dead-letter queue.
  const depths = (isEnd: boolean) =>
    queues
      .queues()
      .filter(({ redrive }) => (redrive === undefined) === isEnd)
      .map(({ name, url }) => ({ name, ...queues.depth(url) }));
  return {
    stacks: assembly.stacks.map(({ name }) => name),
    routes: readHttpApis(assembly).flatMap(({ name, routes }) =>
      routes.map(({ routeKey }) => ({ api: name, route: routeKey })),
    ),
    functions: named("AWS::Lambda::Function"),
    tables: named("AWS::DynamoDB::Table"),
    queues: depths(false),
    dead_letters: depths(true),
    rules: assembly.resources
      .filter(({ type }) => type === "AWS::Events::Rule")
      .map(({ name, properties }) => ({
        name,
        pattern: properties.EventPattern ?? null,
        schedule: properties.ScheduleExpression ?? null,
      })),
    secrets: secrets.map((secret) => ({ name: secret.name, file: secret.file, is_set: isSecretSet(secret) })),
    bus: { pending: bus.pending(), dropped_unknown_bus: bus.droppedUnknownBus },
    state_machines: assembly.resources
      .filter(({ type }) => type === "AWS::StepFunctions::StateMachine")
      .map(({ name, arn = "" }) => ({
        name,
        executions: machines.list(arn).map(({ name: execution, status }) => ({ name: execution, status })),
      })),
  };
}
