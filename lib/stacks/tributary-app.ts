import { App, Aws } from "aws-cdk-lib/core";
import { consumers, endpoints } from "../../functions/index.ts";
import { ApiGroupStack } from "./api-group-stack.ts";
import { type DeploymentConfig, hasQueue, readConfig } from "./config.ts";
import { ConsumersStack } from "./consumers-stack.ts";
import { DashboardStack } from "./dashboard-stack.ts";
import { DataStack } from "./data-stack.ts";
import { DeletionStack } from "./deletion-stack.ts";
import { EdgeStack, edgeSecretOf } from "./edge-stack.ts";
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
  const keyed = { config, dataKey: data.dataKey };
  const operations = new OperationsStack(app, `${config.name}-Operations`, { ...describe("Operations"), ...keyed });
  const { alarms } = operations;
  const messaging = new MessagingStack(app, `${config.name}-Events`, { ...describe("Events"), ...keyed, alarms });
  const http = (what: string, apiName: string) =>
    new HttpApiStack(app, `${config.name}-${what}`, { ...describe(what), ...keyed, apiName });
  const api = http("Api", mainApi);
  const management = http("Management", "management");
  const front = edgeOf(app, { config, data, api });
  const base = worldOf({ config, data, operations, messaging, baseUrl: front?.baseUrl ?? api.baseUrl });
  const deletion = new DeletionStack(app, `${config.name}-Deletion`, { ...describe("Deletion"), world: base });
  const world = { ...base, deletionMachineArn: deletion.machineArn, deletionExecutionsArn: deletion.executionsArn };
  const contracts = fedConsumers(config);
  new ConsumersStack(app, `${config.name}-Consumers`, { ...describe("Consumers"), contracts, world });
  addEndpoints(app, { world, api, management, front });
  if (config.dashboard) {
    new DashboardStack(app, `${config.name}-Dashboard`, {
      ...describe("Dashboard"),
      logPrefix: `/${config.name.toLowerCase()}/`,
      apis: { main: api, management },
      ...messaging.watched,
    });
  }
  return app;
}

/** Consumers that something feeds; the tasks of the deletion machine are in its own stack. */
const fedConsumers = (config: DeploymentConfig) =>
  consumers.filter(
    ({ trigger }) => trigger.kind !== "task" && (trigger.kind !== "queue" || hasQueue(config, trigger.queue)),
  );

interface Fronts {
  readonly world: World;
  readonly api: HttpApiStack;
  readonly management: HttpApiStack;
  readonly front: EdgeStack | undefined;
}

/** A stack for each folder of endpoints. */
function addEndpoints(app: App, { world, api, management, front }: Fronts): void {
  const { name } = world.config;
  for (const [tag, contracts] of Map.groupBy(endpoints, (contract) => contract.tag)) {
    const stackName = `${name}-Api-${tag}`;
    // A folder of management routes is on the management API: what a key opens and where it is heard go together.
    const isManagement = contracts.some(({ auth }) => auth === "management");
    const owners = tag === BOTH ? [api, management] : [isManagement ? management : api];
    const apis = owners.map((owner) => owner.api);
    // What is on the management API too is not reached through CloudFront alone.
    const isGuarded = front !== undefined && owners.every((owner) => owner === api);
    const guarded = { ...world, edgeSecret: isGuarded ? edgeSecretOf(name) : undefined };
    const described = { stackName, description: `${name}: Api-${tag}` };
    const group = new ApiGroupStack(app, stackName, { ...described, apis, contracts, world: guarded });
    if (isGuarded) group.addStackDependency(front, "which sends the secret before functions ask for it");
  }
}

/** CloudFront before the main API, where a deployment wants it. */
function edgeOf(
  app: App,
  { config, data, api }: { config: DeploymentConfig; data: DataStack; api: HttpApiStack },
): EdgeStack | undefined {
  const { edge, name } = config;
  if (!edge) return undefined;
  const stackName = `${name}-Edge`;
  const described = { stackName, description: `${name}: Edge` };
  const front = new EdgeStack(app, stackName, { ...described, name, edge, apiAddress: api.baseUrl });
  front.addStackDependency(data, "which makes the secret");
  return front;
}

interface Made {
  readonly config: DeploymentConfig;
  readonly data: DataStack;
  readonly operations: OperationsStack;
  readonly messaging: MessagingStack;
  readonly baseUrl: string;
}

/** What functions may be granted, before the deletion machine exists (its own steps need the rest). */
function worldOf({ config, data, operations, messaging, baseUrl }: Made): World {
  return {
    config,
    dataKey: data.dataKey,
    bus: messaging.bus,
    alarms: operations.alarms,
    tracing: operations.tracing,
    baseUrl,
    edgeSecret: undefined,
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
