import { App, Aws } from "aws-cdk-lib/core";
import { consumers, endpoints } from "../../functions/index.ts";
import { ApiGroupStack } from "./api-group-stack.ts";
import { type DeploymentConfig, hasQueue, readConfig } from "./config.ts";
import { ConsumersStack } from "./consumers-stack.ts";
import { DataStack } from "./data-stack.ts";
import { DeletionStack } from "./deletion-stack.ts";
import { HttpApiStack, mainApi } from "./http-api-stack.ts";
import { MessagingStack } from "./messaging-stack.ts";
import { OperationsStack } from "./operations-stack.ts";
import type { World } from "./world.ts";

/** Context that keeps `cdk synth` the same on every machine. */
const context = {
  "aws:cdk:version-reporting": false,
  "@aws-cdk/core:stackRelativeExports": true,
  // A stack can not drop or replace what another one still uses.
  "@aws-cdk/core:defaultCrossStackReferences": "strong",
};

/** The folder whose endpoints are on both APIs. */
const BOTH = "service";

/**
 * Builds the whole service as one CDK app.
 * @param settings context that overrides cdk.json.
 * @param outdir where to synthesize for use on this machine; without it CDK's command line decides.
 */
export function tributaryApp(settings: Readonly<Record<string, unknown>> = {}, outdir?: string): App {
  const app = new App({
    context: { ...context, ...settings },
    ...(outdir ? { outdir } : {}),
    analyticsReporting: false,
    // Takes longer than all the rest together, so only what is to be deployed goes through it.
    builtinCloudFormationValidation: outdir === undefined,
  });
  const config = readConfig(app);
  const describe = (what: string) => ({ stackName: `${config.name}-${what}`, description: `${config.name}: ${what}` });
  const data = new DataStack(app, `${config.name}-Data`, { ...describe("Data"), config });
  const operations = new OperationsStack(app, `${config.name}-Operations`, {
    ...describe("Operations"),
    dataKey: data.dataKey,
  });
  const { alarms } = operations;
  const messaging = new MessagingStack(app, `${config.name}-Events`, { ...describe("Events"), alarms, config });
  const http = (what: string, apiName: string) =>
    new HttpApiStack(app, `${config.name}-${what}`, { ...describe(what), apiName, config, dataKey: data.dataKey });
  const api = http("Api", mainApi);
  const management = http("Management", "management");
  const base = worldOf(config, data, operations, messaging, api);
  const deletion = new DeletionStack(app, `${config.name}-Deletion`, { ...describe("Deletion"), world: base });
  const world = { ...base, deletionMachineArn: deletion.machineArn, deletionExecutionsArn: deletion.executionsArn };
  const fed = consumers.filter(
    ({ trigger }) => trigger.kind !== "task" && (trigger.kind !== "queue" || hasQueue(config, trigger.queue)),
  );
  new ConsumersStack(app, `${config.name}-Consumers`, { ...describe("Consumers"), contracts: fed, world });
  for (const [tag, contracts] of Map.groupBy(endpoints, (contract) => contract.tag)) {
    const what = `Api-${tag}`;
    // A folder of management routes is on the management API: what a key opens and where it is heard go together.
    const isManagement = contracts.some(({ auth }) => auth === "management");
    const owners = tag === BOTH ? [api, management] : [isManagement ? management : api];
    const apis = owners.map((owner) => owner.api);
    new ApiGroupStack(app, `${config.name}-${what}`, { ...describe(what), apis, contracts, world });
  }
  return app;
}

/** What functions may be granted, before the deletion machine exists (its own steps need the rest). */
function worldOf(
  config: DeploymentConfig,
  data: DataStack,
  operations: OperationsStack,
  messaging: MessagingStack,
  api: HttpApiStack,
): World {
  return {
    config,
    dataKey: data.dataKey,
    bus: messaging.bus,
    alarms: operations.alarms,
    tracing: operations.tracing,
    baseUrl: api.api.attrApiEndpoint,
    deletionMachineArn: Aws.NO_VALUE,
    deletionExecutionsArn: Aws.NO_VALUE,
    bucket: (resource) => found(data.buckets, resource.name),
    table: (resource) => found(data.tables, resource.name),
    queue: (resource) => messaging.queue(resource),
    key: (resource) => found(data.keys, resource.name),
    secret: (resource) => found(data.secrets, resource.name),
  };
}

function found<T>(constructs: Readonly<Record<string, T>>, name: string): T {
  const construct = constructs[name];
  if (!construct) throw new Error(`nothing is made for ${name}`);
  return construct;
}
